import LinkModel
import ProcessGuard
package import Results
package import Scenarios
package import SystemPackage

/// Runs scenarios to their verdicts.
package struct Run: Sendable {
    package var scenarios: [Scenario]
    package var programs: Programs
    /// Where results are written; nil writes none.
    package var output: FilePath?
    /// How many cells run at once: a slow link is mostly waiting.
    package var jobs = 4
    /// What carries links whose scenario asks for no fidelity.
    package var backend = LinkBackend.proxy
    /// What attempts are built from.
    var rig = Rig()
    /// Told what is served, as soon as that is known.
    var inspect: @Sendable (PreparedContent) -> Void = { _ in }
    package var toolVersion: String
    package var commandLine: [String]
    /// Told everything that happens, from any task.
    package var report: @Sendable (RunProgress) -> Void = { _ in }
    /// What a run that is cancelled calls its end; `interrupted` is the default.
    package var whyCancelled: @Sendable () -> Attribution = { .interrupted }

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
    /// The results are in the order of the scenarios, whatever order the cells ended in. Where the task is cancelled,
    /// everything is ended, and the result is of what was finished: `whyCancelled` says what it calls that. Full disks
    /// and a missing guard are findings too. Throws `InvalidFiles` for what only the content of a
    /// scenario can tell, `HarnessError` where there can be no results, and `GuardError` and `ScratchError` where there can
    /// be no scratch directory.
    package func perform() async throws -> RunResult {
        let cells = scenarios.flatMap(\.cells)
        let record = RunRecord(self, cells: cells, folder: try output.map { try ResultsFolder($0) })
        report(.planned(cells: cells.count))
        record.begin()
        // Leftovers of runs that were killed; those that cannot be removed are somebody else's.
        _ = try? sweepScratchDirectories(in: Self.temporary)
        var ending: Finding?
        do {
            try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
                report(.made(scratch: scratch))
                try await run(cells, in: scratch, into: record)
            }
        } catch is CancellationError {
            // Below, because a run may also be cancelled after its last cell.
        } catch let error as GuardError {
            guard case .noGuard = error else { throw error }
            ending = Finding(.capabilityMissing, "\(error)")
        } catch HarnessError.noRoom(let path, let reason) {
            ending = Finding(.scratchDiskFull, "\(HarnessError.noRoom(path, reason))")
        } catch let error as ScratchError {
            if case .notMade(_, .noSpace) = error { return record.finish(Finding(.scratchDiskFull, "\(error)")) }
            guard case .notRemoved = error else { throw error }
            // All cells are finished, and it is not the client's doing.
            report(.left(error.description))
        }
        if Task.isCancelled { ending = Finding(whyCancelled(), "") }
        return record.finish(ending)
    }

    /// Runs the cells, as many at once as there may be.
    private func run(_ cells: [Cell], in scratch: FilePath, into record: RunRecord) async throws {
        let contents = ContentStore(scratch: scratch)
        try prepare(contents)
        let calibrations = CalibrationStore()
        try await withThrowingTaskGroup(of: (Int, CellOutcome).self) { group in
            var waiting = cells.enumerated().makeIterator()
            func start() {
                guard let (index, cell) = waiting.next() else { return }
                let runner = CellRunner(
                    cell: cell, programs: programs, rig: rig, contents: contents, calibrations: calibrations,
                    backend: backend(for: cell),
                    runScratch: scratch,
                    scratch: scratch.appending("cell-\(index)"), report: report)
                group.addTask {
                    return (index, try await runner.run())
                }
            }
            for _ in 0..<max(1, jobs) { start() }
            while let (index, outcome) = try await group.next() {
                start()
                let done = record.add(outcome, at: index)
                report(.judged(outcome.result, done: done, of: cells.count))
            }
        }
    }

    /// What carries the link of a cell.
    private func backend(for cell: Cell) -> LinkBackend {
        switch cell.link.fidelity {
        case .packet: .packet
        case .modelled: .proxy
        case .any: backend
        }
    }

    /// The folder for what must not remain.
    private static var temporary: FilePath {
        FilePath(Environment.value("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
    }
}
