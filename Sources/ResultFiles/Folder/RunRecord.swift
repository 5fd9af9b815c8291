import FoundationEssentials
import Glibc
import PackFormat
import Reports
package import Results
package import Scenarios
import Synchronization
package import SystemPackage
import Wording

/// The results of a run so far, and the folder that it is written into.
///
/// What is written before ``finish(_:)`` says that it is not the whole run: a reader that finds it, because the run was killed,
/// must not take it for one that passed.
package final class RunRecord: Sendable {
    /// What is written, and where.
    package struct Settings: Sendable {
        /// What is written beside every cell.
        package var facts: RunFacts
        /// Without secrets.
        package var commandLine: [String]
        /// What too little evidence comes to.
        package var onInconclusive = RunResult.OnInconclusive.fail
        /// The folder of the results; nil writes none.
        package var output: FilePath?
        /// What keeps others from writing to `output`; nil, the default: the record sees to it itself.
        package var hold: ResultsLock?
        /// Where JUnit is written beside the results; nil: nowhere else.
        package var junit: FilePath?
        /// Which part of a divided run it is; nil, the default: all of it.
        package var shard: ShardNumber?
        /// The number of each cell among those of the whole run, where it is a part.
        package var places: [Int] = []
        /// Whether packets were asked for, and stay where no bundle has taken them along.
        package var keepsCaptures = false
        /// What a replay of a cell needs too whose host is not Headwind's: words of a command line; none by default.
        package var replayOptions: [String] = []

        package init(_ facts: RunFacts, commandLine: [String]) {
            self.facts = facts
            self.commandLine = commandLine
        }
    }

    private struct State {
        var results: [Int: CellResult] = [:]
        /// Each of them without secrets, as it stands in the result's JSON.
        var texts: [Int: Data] = [:]
        var findings: [Finding] = []
        var cells: [Cell] = []
    }

    private let settings: Settings
    private let folder: ResultsFolder?
    private let start = Date()
    private let clock = ContinuousClock.now
    private let state = Mutex(State())
    /// When the overviews of all cells may be written again: between cells they take a tenth of the time at most.
    private let nextOverviews = Mutex(ContinuousClock.now)

    /// Makes the folder, where the run has one.
    ///
    /// Throws ``ResultFileError``.
    package init(_ settings: Settings, cells: [Cell]) throws {
        self.settings = settings
        folder = try settings.output.map {
            let folder = try ResultsFolder($0, hold: settings.hold, command: settings.commandLine)
            RunSittings.remove(in: $0)
            return folder
        }
        state.withLock { $0.cells = cells }
    }

    /// Takes more cells, of a run that goes on where this one ended; answers the number of the first.
    package func extend(by cells: [Cell]) -> Int {
        state.withLock { state in
            defer { state.cells += cells }
            return state.cells.count
        }
    }

    /// Writes that nothing is finished yet: what an earlier run left in the folder is not of this one.
    package func begin() {
        write(result(Finding(.unfinished, "")))
    }

    /// Keeps a cell, and answers how it is written.
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
        // What was recorded for a bundle alone has been of use.
        if !settings.keepsCaptures { for file in cell.captures.values { unlink(file.string) } }
        state.withLock { $0.results[index] = judged }
        noting {
            let text = try folder.map { _ in try judged.redacted.json() }
            state.withLock { $0.texts[index] = text }
        }
        write(result(Finding(.unfinished, "")))
        return judged
    }

    /// The result of the whole run, or of the part that is there where `ending` says why; it is written.
    ///
    /// Answers the names of the files of this run, too; nil where it has no folder.
    package func finish(_ ending: Finding?) -> (result: RunResult, files: [String]?) {
        noting { try folder?.arrangeEvents() }
        noting { try folder?.writePage(result(ending)) }
        let whole = result(ending)
        let isWritten = write(whole, isLast: true)
        // Once more with a finding where it could not be written.
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

    /// Writes JUnit to the file of its own, of which somebody else made the folder, or this does.
    ///
    /// What cannot be replaced, such as `/dev/stdout`, gets the last one alone.
    private func writeJUnit(_ result: RunResult, _ isLast: Bool) throws {
        guard let name = settings.junit else { return }
        let file = FilePath(FileManager.default.currentDirectoryPath).pushing(name)
        guard isLast || NamedStream(file) == nil else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
            try AtomicFile.write(JUnitReport.render(result, folder: self.folder?.projectName).utf8, to: file)
        } catch {
            throw ResultFileError(unwritten: file, error)
        }
    }

    /// Results that could not be written are a finding, because then it cannot be seen what a pass rests on.
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
