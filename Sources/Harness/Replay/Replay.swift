import Evidence
import FoundationEssentials
import Links
import PackFormat
package import ResultFiles
import Results
import Scenarios
import Synchronization
package import SystemPackage

/// Plays what went wrong in a bundle again, several times, and says how often the failure came back.
package struct Replay: Sendable {
    package var bundle: FailureBundle
    /// How often.
    package var times = 5
    /// How many plays go on at once; one after the other by default, for what is compared never competes.
    package var jobs = 1
    package var programs: Programs
    package var toolVersion: String
    /// Where the results of the plays are written; nil writes none.
    package var output: FilePath?
    /// What is recorded of their packets there, if anything.
    package var capture: RunCapture?
    /// Told everything that happens, from any task.
    package var report: @Sendable (RunProgress) -> Void = { _ in }
    /// Told of each play when it has ended, from any task.
    package var told: @Sendable (ReplayResult.Play) -> Void = { _ in }
    /// Names that have addresses whatever a resolver says, for a host that is not Headwind's; none by default.
    package var resolved: [ResolvedName] {
        get { dependencies.resolved }
        set { dependencies.resolved = newValue }
    }
    /// What attempts are built from.
    var dependencies = AttemptDependencies()

    var cell: Cell
    /// What the link showed; later rounds of plays do not measure it again.
    private let calibrations = [CalibrationStore(), CalibrationStore()]

    /// The longest that a client may take where nothing limits it: a debugger may hold it for as long.
    private static let noLimit = Duration.seconds(20 * 86_400)
    /// Attempts that say nothing are made again, so often at most for each that was asked for.
    static let mostTries = 3

    /// The play of a bundle with its own client, or with another in its place: a command, or a program that takes
    /// headwind-client's command line.
    ///
    /// Paths in `command` that are not whole begin in the current folder. Throws `BundleError` where that client cannot be
    /// played, `HarnessError` for a client that cannot be run, and `InvalidFiles` for a command with a wrong placeholder.
    package init(
        _ bundle: FailureBundle, command: [String]? = nil, client: String? = nil, hasLimits: Bool = true,
        programs: Programs, toolVersion: String
    ) throws {
        self.bundle = bundle
        self.programs = programs
        self.toolVersion = toolVersion
        var cell = bundle.cell
        if client != nil, !cell.workload.isBuiltIn { throw BundleError.notARequest }
        if let client = client ?? bundle.client, command == nil { try self.programs.use(client: client) }
        if let command {
            guard case .command(var client) = cell.workload else { throw BundleError.notACommand }
            client.call = try Command.Call(words: WholePaths.of(command))
            try client.call.checkProgram()
            // A program that ran where its caller was is tried where this one is.
            if client.directory != nil { client.directory = FilePath(FileManager.default.currentDirectoryPath) }
            cell.workload = .command(client)
        }
        let missing = bundle.record.leftOut.filter { command == nil || $0 != "workload" }
        guard missing.isEmpty else { throw BundleError.incomplete(missing) }
        // One attempt a cell: each is judged by itself.
        cell.attempts = Attempts(min: 1, max: 1)
        // What it was compared with is not here.
        cell.budgets.removeAll { $0.budget.bound.basis == .baseline }
        if !hasLimits { (cell.deadline, cell.patience, cell.idleTimeout) = (Self.noLimit, Self.noLimit, nil) }
        self.cell = cell
    }

    /// The client that is played, without secrets.
    package var command: [String] { ClientFiles.command(of: cell, client: programs.foreignClient) }

    /// Plays the list, and compares what comes of it with the failure.
    ///
    /// Throws what ``Run/perform()`` throws, and `CancellationError` where the task is cancelled.
    package func perform() async throws -> ReplayResult {
        let served = Mutex<[BundleRecord.File]>([])
        var result = ReplayResult(
            cell: bundle.record.cell, failure: bundle.record.failure, times: times, plays: [], differences: [],
            troubleCode: Verdict.infrastructure.exitCode)
        var rounds = 0
        let hold = try output.map { try ResultsLock($0, command: commandLine) }
        while result.played < times, result.plays.count < times * Self.mostTries {
            rounds += 1
            // Each round is a run, and has a folder of its own.
            let folder = rounds == 1 ? output : output?.appending("again-\(rounds)")
            let cells = try await round(times - result.played, into: folder, hold) { content in
                served.withLock { $0 = content.site.packRecords }
            }
            result.plays += cells.map(play)
            let codes = cells.filter { $0.verdict == .infrastructure }.map(\.exitCode)
            result.troubleCode = codes.max() ?? result.troubleCode
            // What this machine cannot do it will not do the next time.
            if cells.allSatisfy({ $0.findings.contains { $0.attribution.row.subject == .machine } }) { break }
        }
        result.differences = differences(served: served.withLock { $0 })
        return result
    }

    var commandLine: [String] { ["headwind", "replay", bundle.folder.string] }

    /// Some cells, as many at once as were asked for.
    private func round(
        _ count: Int, into folder: FilePath?, _ hold: ResultsLock?,
        _ inspect: @escaping @Sendable (PreparedContent) -> Void
    ) async throws -> [CellResult] {
        var scenario = bundle.scenario
        scenario.cells = (1...count).map { number in
            var copy = cell
            copy.id = "\(cell.id)-\(number)"
            return copy
        }
        var run = Run(
            scenarios: [scenario], programs: programs, output: folder, toolVersion: toolVersion,
            commandLine: commandLine)
        run.hold = hold?.folder == folder ? hold : nil
        run.capture = capture
        run.jobs = jobs
        run.dependencies = dependencies
        run.calibrations = calibrations
        run.report = { [self] progress in
            report(progress)
            if case .judged(let result, _, _) = progress { told(play(result)) }
        }
        run.inspect = inspect
        let result = try await run.perform()
        try Task.checkCancellation()
        guard result.cells.count == count else {
            throw ReplayTrouble(findings: result.findings)
        }
        return result.cells
    }

    func play(_ result: CellResult) -> ReplayResult.Play {
        let redacted = result.redacted
        let seconds = result.attempts.first?.durationSeconds ?? 0
        guard let attempt = result.countedAttempts.first, result.verdict != .infrastructure else {
            let reasons = redacted.findings.map(\.description)
            return .init(outcome: .notPlayed, failure: nil, sentences: reasons, seconds: seconds)
        }
        let failure = CellPlan(cell, over: cell.link.fidelity).fingerprint(of: attempt)
        // A program that was recorded while nothing was wrong may fail in any way.
        let isAny = bundle.record.failure.isEmpty && result.verdict == .fail
        let isAgain = isAny || failure.isAgain(bundle.record.failure)
        let outcome: ReplayResult.Outcome =
            isAgain ? .cameBack : result.verdict == .fail ? .failedOtherwise : .held
        let sentences =
            redacted.checks.filter { !$0.brokenIn.isEmpty }.map { "\($0.name) (\($0.asked)): \($0.sentence)" }
            + redacted.findings.map(\.description)
        return .init(
            outcome: outcome, failure: outcome == .held ? nil : failure,
            sentences: outcome == .held ? [] : sentences, seconds: seconds,
            clientOutput: outcome == .failedOtherwise ? redacted.countedAttempts.first?.clientOutput : nil)
    }
}

/// Why no play counts.
package struct ReplayTrouble: Error, CustomStringConvertible, Sendable {
    let findings: [Finding]

    /// The exit code of what it was.
    package var exitCode: Int32 { findings.map(\.attribution.row.exitCode).max() ?? Verdict.infrastructure.exitCode }
    package var description: String { findings.map(\.description).joined(separator: " ") }
}
