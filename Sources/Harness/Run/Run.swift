import FoundationEssentials
import LinkModel
import ProcessGuard
package import Results
package import Scenarios
import Synchronization
package import SystemPackage

/// Runs scenarios to their verdicts.
package struct Run: Sendable {
    package var scenarios: [Scenario]
    package var programs: Programs
    /// Where results are written; nil writes none.
    package var output: FilePath?
    /// How many cells run at once: a slow link is mostly waiting.
    package var jobs = 4
    /// What attempts are built from.
    var rig = Rig()
    package var toolVersion: String
    package var commandLine: [String]
    /// Told everything that happens, from any task.
    package var report: @Sendable (RunProgress) -> Void = { _ in }

    package init(
        scenarios: [Scenario], programs: Programs, output: FilePath? = nil, toolVersion: String, commandLine: [String]
    ) {
        self.scenarios = scenarios
        self.programs = programs
        self.output = output
        self.toolVersion = toolVersion
        self.commandLine = commandLine
    }

    /// Runs every cell, and judges.
    ///
    /// The results are in the order of the scenarios, whatever order the cells ended in. A full results disk is a finding,
    /// because then nobody could see what a pass rests on. Throws `CancellationError`, after everything has been ended;
    /// what was finished is written.
    package func perform() async throws -> RunResult {
        let cells = scenarios.flatMap(\.cells)
        report(.planned(cells: cells.count))
        let progress = Mutex(Finished(start: Date(), clock: ContinuousClock.now))
        let folder = try output.map { try ResultsFolder($0) }
        // Leftovers of runs that were killed; those that cannot be removed are somebody else's.
        _ = try? sweepScratchDirectories(in: Self.temporary)
        try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            let contents = ContentStore(scratch: scratch)
            try prepare(contents)
            let calibrations = CalibrationStore()
            try await withThrowingTaskGroup(of: (Int, CellResult, [TimelineEvent]).self) { group in
                var waiting = cells.enumerated().makeIterator()
                func start() {
                    guard let (index, cell) = waiting.next() else { return }
                    let runner = CellRunner(
                        cell: cell, programs: programs, rig: rig, contents: contents, calibrations: calibrations,
                        runScratch: scratch,
                        scratch: scratch.appending("cell-\(index)"), report: report)
                    group.addTask {
                        let (result, timeline) = try await runner.run()
                        return (index, result, timeline)
                    }
                }
                for _ in 0..<max(1, jobs) { start() }
                while let (index, result, timeline) = try await group.next() {
                    start()
                    let done = progress.withLock { progress in
                        progress.results[index] = result
                        return progress.results.count
                    }
                    keep(timeline, progress: progress, folder: folder)
                    report(.judged(result, done: done, of: cells.count))
                }
            }
        }
        return result(progress)
    }

    /// The folder for what must not remain.
    private static var temporary: FilePath {
        FilePath(Environment.value("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
    }

    /// The cells that have been judged so far.
    private struct Finished {
        let start: Date
        let clock: ContinuousClock.Instant
        var results: [Int: CellResult] = [:]
        var findings: [Finding] = []
    }

    private func keep(_ timeline: [TimelineEvent], progress: borrowing Mutex<Finished>, folder: ResultsFolder?) {
        guard let folder else { return }
        do {
            try folder.append(timeline)
            try folder.write(result(progress))
        } catch {
            progress.withLock { progress in
                guard !progress.findings.contains(where: { $0.attribution == .resultsDiskFull }) else { return }
                progress.findings.append(Finding(.resultsDiskFull, "\(error)"))
            }
        }
    }

    private func result(_ progress: borrowing Mutex<Finished>) -> RunResult {
        progress.withLock { progress in
            RunResult(
                toolVersion: toolVersion, commandLine: commandLine, seed: scenarios.first?.cells.first?.link.seed ?? 0,
                host: .ofThisMachine(),
                startedAt: progress.start.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
                durationSeconds: progress.clock.duration(to: .now).seconds,
                cells: progress.results.sorted { $0.key < $1.key }.map(\.value), findings: progress.findings)
        }
    }
}
