import Evidence
import FoundationEssentials
import Links
import PackFormat
package import ResultFiles
package import Results
import Scenarios
import Synchronization
package import SystemPackage

/// Plays the faults of a bundle again, several times, and counts how often the failure comes back.
package struct Replay: Sendable {
    package var bundle: FailureBundle
    /// The number of plays that must count.
    package var times = 5
    /// How its one cell is run (default: one play at once, so that plays never compete).
    package var run: Run
    /// The folder for the results of the plays; nil: none are written.
    package var output: FilePath?
    /// The packets to record there; nil: none.
    package var capture: RunCapture?
    /// Called with each play when it has ended, from any task.
    package var told: @Sendable (ReplayResult.Play) -> Void = { _ in }

    var cell: Cell { run.scenarios[0].cells[0] }
    /// Measurements of the link, which later rounds of plays reuse.
    private let calibrations = [CalibrationStore(), CalibrationStore()]

    /// The limit on a client if nothing limits it, 20 days: a debugger may stop it that long.
    private static let noLimit = Duration.seconds(20 * 86_400)
    /// The maximum of tries for each requested play: a play without a result is repeated.
    static let mostTries = 3

    /// Replays a bundle with its own client, or another: a command, or a program with headwind-client's command line.
    ///
    /// Relative paths in `command` start from the current folder. `hasLimits`: the client keeps its time limits. Throws
    /// `BundleError` if the bundle cannot be played with that client, `HarnessError` for a client that cannot be run,
    /// and `InvalidFiles` for a command with a wrong placeholder.
    package init(
        _ bundle: FailureBundle, command: [String]? = nil, client: String? = nil, hasLimits: Bool = true,
        programs: Programs, toolVersion: String
    ) throws {
        self.bundle = bundle
        var (cell, programs) = (bundle.cell, programs)
        if client != nil, !cell.workload.isBuiltIn { throw BundleError.notARequest }
        if let client = client ?? bundle.client, command == nil { try programs.use(client: client) }
        if let command {
            guard var client = cell.workload.command else { throw BundleError.notACommand }
            client.call = try Command.Call(words: WholePaths.of(command))
            try client.call.checkProgram()
            // A program that ran in its caller's folder now runs in the current folder.
            if client.directory != nil { client.directory = FilePath(FileManager.default.currentDirectoryPath) }
            cell.workload = .command(client)
        }
        let missing = bundle.record.leftOut.filter { command == nil || $0 != "workload" }
        guard missing.isEmpty else { throw BundleError.incomplete(missing) }
        // One attempt a cell, so that each is judged by itself.
        cell.attempts = Attempts(min: 1, max: 1)
        // The baseline is not available here.
        cell.budgets.removeAll { $0.budget.bound.basis == .baseline }
        if !hasLimits { (cell.deadline, cell.patience, cell.idleTimeout) = (Self.noLimit, Self.noLimit, nil) }
        var scenario = bundle.scenario
        scenario.cells = [cell]
        run = Run(
            scenarios: [scenario], programs: programs, toolVersion: toolVersion,
            commandLine: ["headwind", "replay", bundle.folder.string])
        run.jobs = 1
    }

    /// The command of the client that is played, without secrets.
    package var command: [String] { ClientFiles.command(of: cell, client: run.programs.foreignClient) }

    /// Plays the schedule, and compares each result with the failure.
    ///
    /// Throws the errors of ``Run/perform()``, and `CancellationError` if the task is cancelled.
    package func perform() async throws -> ReplayResult {
        let served = Mutex<[BundleRecord.File]>([])
        var result = ReplayResult(cell: bundle.record.cell, failure: bundle.record.failure, times: times)
        var rounds = 0
        let hold = try output.map { try ResultsLock($0, command: run.commandLine) }
        while result.played < times, result.plays.count < times * Self.mostTries {
            rounds += 1
            // Each round is a run with its own folder.
            let folder = rounds == 1 ? output : output?.appending("again-\(rounds)")
            let cells = try await round(times - result.played, into: folder, hold) { content in
                served.withLock { $0 = content.site.packRecords }
            }
            result.plays += cells.map(play)
            let codes = cells.filter { $0.verdict == .infrastructure }.map(\.exitCode)
            result.troubleCode = codes.max() ?? result.troubleCode
            // What this machine cannot do will also fail the next time.
            if cells.allSatisfy({ $0.findings.contains { $0.attribution.row.subject == .machine } }) { break }
        }
        result.differences = bundle.differences(
            served: served.withLock { $0 }, command: command, toolVersion: run.toolVersion)
        return result
    }

    /// Runs `count` cells, as many at once as ``run`` says.
    private func round(
        _ count: Int, into folder: FilePath?, _ hold: ResultsLock?,
        _ inspect: @escaping @Sendable (PreparedContent) -> Void
    ) async throws -> [CellResult] {
        var run = run
        run.scenarios[0].cells = (1...count).map { number in
            var copy = cell
            copy.id = "\(cell.id)-\(number)"
            return copy
        }
        run.output = folder
        run.hold = hold?.folder == folder ? hold : nil
        run.capture = capture
        run.calibrations = calibrations
        run.report = { [self] progress in
            self.run.report(progress)
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
        // The bundle of a program that was recorded without a failure matches any failure.
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
