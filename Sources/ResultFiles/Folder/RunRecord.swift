import FoundationEssentials
import Glibc
import LinuxSupport
import PackFormat
import Reports
package import Results
package import Scenarios
import Synchronization
package import SystemPackage
import Wording

/// The results of a run so far, and the folder that they are written to.
///
/// Every result written before ``finish(_:)`` says that the run is unfinished: if the run is killed, a reader must not
/// take it for a passed run.
package final class RunRecord: Sendable {
    /// What a record writes, and where.
    package struct Settings: Sendable {
        /// The facts that are written with every cell.
        package var facts: RunFacts
        /// The command line, without secrets.
        package var commandLine: [String]
        /// The policy for inconclusive results (default: fail).
        package var onInconclusive = RunResult.OnInconclusive.fail
        /// The folder of the results; nil: none is written.
        package var output: FilePath?
        /// The lock on `output`; nil, the default: the record locks it itself.
        package var hold: ResultsLock?
        /// A further file for the JUnit report; nil, the default: none.
        package var junit: FilePath?
        /// The part of a divided run; nil, the default: the whole run.
        package var shard: ShardNumber?
        /// The number of each cell in the whole run, if this is a part.
        package var places: [Int] = []
        /// Whether captures are kept even if no bundle has copied them (default: false).
        package var keepsCaptures = false
        /// Words that the replay command also needs for a cell with another party's host (default: none).
        package var replayOptions: [String] = []

        package init(_ facts: RunFacts, commandLine: [String]) {
            self.facts = facts
            self.commandLine = commandLine
        }
    }

    private struct State {
        var results: [Int: CellResult] = [:]
        /// The redacted JSON of each of them.
        var texts: [Int: Data] = [:]
        var findings: [Finding] = []
        var cells: [Cell] = []
    }

    private let settings: Settings
    private let folder: ResultsFolder?
    private let start = Date()
    private let clock = ContinuousClock.now
    private let state = Mutex(State())
    /// When the overviews of all cells may be written again: during the run they take at most a tenth of the time.
    private let nextOverviews = Mutex(ContinuousClock.now)

    /// Makes the folder, if the run has one.
    package init(_ settings: Settings, cells: [Cell]) throws {
        self.settings = settings
        folder = try settings.output.map {
            let folder = try ResultsFolder($0, hold: settings.hold, command: settings.commandLine)
            RunSittings.remove(in: $0)
            return folder
        }
        state.withLock { $0.cells = cells }
    }

    /// Adds further planned cells, and returns the index of the first.
    package func extend(by cells: [Cell]) -> Int {
        state.withLock { state in
            defer { state.cells += cells }
            return state.cells.count
        }
    }

    /// Writes an unfinished result, so that an earlier run's is not mistaken for this one's.
    package func begin() {
        write(result(Finding(.unfinished, "")))
    }

    /// Adds the result of a cell, writes it, and returns it as it is written.
    package func add(_ cell: CellOutcome, at index: Int) -> CellResult {
        var judged = cell.result
        if settings.shard != nil { judged.place = settings.places[index] }
        noting {
            try folder?.append(cell.timeline, of: index)
            for (name, schedule) in cell.schedules { try folder?.write(schedule, named: name) }
            let played = state.withLock { $0.cells[index] }
            let draft = BundleDraft(cell, of: played, settings.facts)
            if let folder, let draft {
                let bundle = try folder.write(draft)
                judged.bundle = bundle
                let options = played.content.isOurs ? [] : settings.replayOptions
                let command = BundleDraft.command(at: folder.path.appending(bundle))
                judged.replayCommand = ([command] + options.map(ShellWords.quoted)).joined(separator: " ")
            } else if folder != nil, judged.verdict == .fail {
                let isByComparison = judged.firstBrokenAttempt == nil
                judged.notes.append(
                    isByComparison
                        ? "there is no bundle: no single attempt failed, only all of them together"
                        : "there is no bundle: the fault schedule is incomplete")
            }
        }
        // Captures that were recorded only for a bundle are no longer needed.
        if !settings.keepsCaptures { for file in cell.captures.values { unlink(file.string) } }
        state.withLock { $0.results[index] = judged }
        noting {
            let text = try folder.map { _ in try judged.redacted.json() }
            state.withLock { $0.texts[index] = text }
        }
        write(result(Finding(.unfinished, "")))
        return judged
    }

    /// Writes and returns the result of the whole run, or of the part that is done if `ending` says why it ended.
    ///
    /// Also returns the names of the files that this run wrote; nil if it has no folder.
    package func finish(_ ending: Finding?) -> (result: RunResult, files: [String]?) {
        noting { try folder?.arrangeEvents() }
        noting { try folder?.writePage(result(ending)) }
        let whole = result(ending)
        let isWritten = write(whole, isLast: true)
        // If it could not be written, the result has a further finding.
        return (isWritten ? whole : result(ending), folder?.writtenNames)
    }

    @discardableResult
    private func write(_ result: RunResult, isLast: Bool = false) -> Bool {
        let texts = state.withLock { $0.texts.sorted { $0.key < $1.key }.map(\.value) }
        let isWritten = noting { try folder?.write(result, cells: texts) }
        guard isLast || nextOverviews.withLock({ $0 <= .now }) else { return isWritten }
        let start = ContinuousClock.now
        let isJUnitWritten = noting { try writeJUnit(result, isLast) }
        let areOverviewsWritten = noting { try folder?.writeOverviews(of: result) }
        let end = ContinuousClock.now
        nextOverviews.withLock { $0 = end + start.duration(to: end) * 10 }
        return isWritten && isJUnitWritten && areOverviewsWritten
    }

    /// Writes the JUnit report to its own file, and makes the file's folder if needed.
    ///
    /// A target that cannot be replaced, such as `/dev/stdout`, gets only the last one.
    private func writeJUnit(_ result: RunResult, _ isLast: Bool) throws {
        guard let file = settings.junit?.absolute else { return }
        guard isLast || NamedStream(file) == nil else { return }
        do {
            try file.makeParent()
            try AtomicFile.write(JUnitReport.render(result, folder: self.folder?.projectName).utf8, to: file)
        } catch {
            throw ResultFileError(unwritten: file, error)
        }
    }

    /// Runs `body`; a failure becomes a finding, because without results nothing shows what a pass is based on.
    @discardableResult
    private func noting(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            let isFullDisk = (error as? ResultFileError)?.isFullDisk ?? error.isNoSpace
            let why: Attribution = isFullDisk ? .resultsDiskFull : .resultsNotWritten
            state.withLock { state in
                guard !state.findings.contains(where: { $0.attribution == why }) else { return }
                state.findings.append(Finding(why, "\(error)"))
            }
            return false
        }
    }

    private func result(_ ending: Finding?) -> RunResult {
        let (results, findings, cells) = state.withLock { ($0.results, $0.findings, $0.cells) }
        var run = RunResult(
            toolVersion: settings.facts.toolVersion, commandLine: settings.commandLine,
            seed: Set(cells.map(\.link.seed)).count == 1 ? cells[0].link.seed : nil,
            host: settings.facts.host,
            startedAt: start.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            durationSeconds: clock.duration(to: .now).seconds,
            cells: results.sorted { $0.key < $1.key }.map(\.value),
            unfinished: cells.indices.filter { results[$0] == nil }.map { cells[$0].id },
            ending: ending, findings: findings, onInconclusive: settings.onInconclusive)
        run.shard = settings.shard
        return run
    }
}
