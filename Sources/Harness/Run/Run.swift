import Evidence
import LinkModel
package import Links
import LinuxSupport
import ProcessGuard
package import ResultFiles
package import Results
package import Scenarios
package import SystemPackage
import Witness

/// Runs scenarios to their verdicts.
package struct Run: Sendable {
    package var scenarios: [Scenario]
    package var programs: Programs
    /// The folder for results; nil: none are written.
    package var output: FilePath?
    /// The lock on `output` against other writers; nil (default): the run takes it itself while it runs.
    package var hold: ResultsLock?
    /// Measurements of links; nil: each link is measured anew.
    ///
    /// The second store is for links that were measured while nothing else ran.
    var calibrations: [CalibrationStore]?
    /// A further file for the JUnit report; nil: only the one in the results.
    package var junit: FilePath?
    /// The part of a divided run that this is; nil (default): the whole run.
    ///
    /// See ``keep(_:of:)``.
    package internal(set) var shard: ShardNumber?
    /// The share of each cell's attempts that is made here; nil (default): all.
    ///
    /// See ``keep(sharesOf:)``.
    var attemptShare: ShardNumber?
    /// The index of each cell in the whole run, if this is a part.
    var places: [Int] = []
    /// How many cells of the whole run are compared; nil: those of this part.
    var comparedCells: Int?
    /// The maximum of attempts at once, of all cells together; nil (default): as many as the machine can take.
    package var jobs: Int?
    /// How many further cells may run while the same number only waits for a silent client (default: 0).
    package var mostIdle = 0
    /// Whether a cell without a result because of temporary trouble runs once more at the end (default: false).
    package var retriesTrouble = false
    /// The time after which the run is ended by force, and reported as far as it got; nil (default): no limit.
    package var deadline: Duration?
    /// The command line option that sets every cell's deadline; nil (default): the scenarios set them.
    package var cellDeadlineOption: String?
    /// What a run with too little evidence counts as (default: `fail`).
    package var onInconclusive = RunResult.OnInconclusive.fail
    /// The backend of links whose scenario requires no fidelity; nil (default): the first that works here.
    package var backend: LinkBackend?
    /// The baseline that budgets compare with; nil (default): none.
    package var comparison: RunComparison?
    /// The folder in which packs built from catalogs are kept and found; nil (default): they are built anew.
    package var packs: FilePath?
    /// The packets that are recorded in `output`; nil: only those that a bundle contains.
    package var capture: RunCapture?
    /// Names with fixed addresses, for hosts that Headwind does not start; empty by default.
    package var resolved: [ResolvedName] = []
    /// What attempts need from outside, which tests replace.
    var dependencies = AttemptDependencies()
    /// Called with the content that is served, as soon as it is known.
    var inspect: @Sendable (PreparedContent) -> Void = { _ in }
    package var toolVersion: String
    package var commandLine: [String]
    /// Called with all progress, from any task.
    package var report: @Sendable (RunProgress) -> Void = { _ in }
    /// Called for the cause of a run's cancellation (default: `interrupted`).
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

    /// Runs every cell, and judges the results.
    ///
    /// The results are in the order of the scenarios, whatever order the cells ended in. If the task is cancelled,
    /// everything is ended, and the result has the finished cells, with the finding of `whyCancelled`. Full disks and a
    /// missing guard are findings too.
    ///
    /// Throws `InvalidFiles` for problems that only the content of a scenario shows, ``ResultFileError`` if there can
    /// be no results, and `GuardError` and `ScratchError` if there can be no scratch directory. Throws
    /// `ResourceShortage`, before anything is written, if a limit leaves too little.
    package func perform() async throws -> RunResult {
        let cells = scenarios.flatMap(\.cells)
        return try await perform(cells, into: try record(of: cells))
    }

    /// Runs the cells from `first` on into a record, and judges everything in the record.
    func perform(_ cells: [Cell], into record: RunRecord, from first: Int = 0) async throws -> RunResult {
        let seats = try mostSeats(for: cells)
        secrets(of: cells).hold()
        report(.planned(cells: cells.count))
        record.begin()
        // Leftovers of runs that were killed; those that cannot be removed belong to another user.
        _ = try? sweepScratchDirectories(in: Self.temporary)
        var ending: Finding?
        do {
            try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
                report(.made(scratch: scratch))
                try await withDeadline(deadline) {
                    try await run(cells, in: scratch, into: record, from: first, seats)
                }
            }
        } catch is DeadlineReached {
            ending = Finding(.deadlineReached, "")
        } catch is CancellationError {
            // Handled below, because a run may also be cancelled after its last cell.
        } catch let error as GuardError {
            guard case .noGuard = error else { throw error }
            ending = Finding(.capabilityMissing, "\(error)")
        } catch HarnessError.noRoom(let path, let reason) {
            ending = Finding(.scratchDiskFull, "\(HarnessError.noRoom(path, reason))")
        } catch let error as ScratchError {
            if case .notMade(_, let reason) = error, reason.isNoRoom {
                return finish(record, Finding(.scratchDiskFull, "\(error)"))
            }
            guard case .notRemoved = error else { throw error }
            // All cells are finished, and the client did not cause this.
            report(.left(error.description))
        }
        if Task.isCancelled { ending = Finding(whyCancelled(), "") }
        return finish(record, ending)
    }

    /// The record of cells' results, and their folder.
    ///
    /// Throws ``ResultFileError``.
    func record(of cells: [Cell]) throws -> RunRecord {
        var settings = RunRecord.Settings(programs.facts(toolVersion: toolVersion), commandLine: commandLine)
        (settings.output, settings.hold, settings.junit) = (output, hold, junit)
        (settings.onInconclusive, settings.keepsCaptures) = (onInconclusive, capture != nil)
        (settings.shard, settings.places) = (shard, places)
        settings.replayOptions = resolved.flatMap { ["--resolve", $0.text] }
        return try RunRecord(settings, cells: cells)
    }

    private func finish(_ record: RunRecord, _ ending: Finding?) -> RunResult {
        let (result, files) = record.finish(ending)
        if let files { report(.filed(names: files)) }
        return result
    }

    /// Runs the cells, and reports each as soon as it has ended, so that slow ones delay no other.
    private func run(
        _ cells: [Cell], in scratch: FilePath, into record: RunRecord, from first: Int, _ seats: Int
    ) async throws {
        let contents = ContentStore(scratch: scratch, packs: builtPacks)
        try prepare(contents)
        let cells = try cells.map { $0.withDeadline(try contents.prepare($0)) }
        let plans = try await backendPlans(for: cells, contents)
        // Links that were out of tolerance while others ran are measured again.
        let calibrations = calibrations ?? [CalibrationStore(), CalibrationStore()]
        let comparing = CellComparison(
            comparison: comparison, cells: comparedCells ?? cells.count(where: \.isCompared))
        var done = 0
        let jobsFact = jobsFact(cells)
        let scheduler = CellScheduler(
            pace: pace(most: seats), mostIdle: mostIdle, order: try order(of: cells, contents),
            noises: jobs == nil ? Witness.stretches(of: Pace.stretch) : nil, retriesTrouble: retriesTrouble
        ) { index, isAlone, seat in
            let content = try contents.prepare(cells[index])
            let context = CellContext(
                settings: settings, cell: cells[index], content: content, plan: plans[index], runScratch: scratch,
                scratch: scratch.appending("cell-\(index)"))
            let runner = CellRunner(
                run: self, context: context, contentDigest: content?.digest,
                calibrations: calibrations[isAlone ? 1 : 0], jobs: jobsFact, comparison: comparing)
            return try await runner.perform(on: seat)
        } finish: { index, outcome in
            report(.ended(cell: cells[index].id))
            done += 1
            report(.judged(record.add(outcome, at: first + index), done: done, of: cells.count))
        } postpone: { index, why in
            report(.postponed(cell: cells[index].id, why: why))
        }
        try await scheduler.perform()
    }

    /// What its attempts share.
    var settings: RunSettings {
        RunSettings(
            programs: programs, dependencies: dependencies, output: output, capture: capture, resolved: resolved)
    }

    /// The backend of each cell's link; reports if it is less than packets.
    func backendPlans(for cells: [Cell], _ contents: ContentStore) async throws -> [BackendPlan] {
        let demands = try await withWayOutside(
            cells,
            try cells.map {
                $0.demand(authorities: try contents.prepare($0)?.authorities ?? [], resolved: resolved)
            })
        let planner = try await BackendPlanner.make(
            for: demands, backend, isCapturing: capture != nil, by: dependencies.links)
        let plans = demands.map { planner.plan(for: $0) }
        var known: Set<String> = []
        for why in plans.compactMap(\.shortfall) where known.insert(why).inserted { report(.proxied(why: why)) }
        guard capture != nil else { return plans }
        return plans.map { plan in
            var plan = plan
            if plan.backend.fidelity == .modelled {
                plan.notes.append("no packets are recorded: a proxy's link has none")
            }
            return plan
        }
    }

    /// The demands of cells; those that need a way out of a sandbox get the obstacle, if this machine has none.
    private func withWayOutside(_ cells: [Cell], _ demands: [LinkDemand]) async throws -> [LinkDemand] {
        let leading = cells.indices.filter { index in
            guard case .host = cells[index].content, demands[index].whyNotInSandbox == nil else { return false }
            return cells[index].link.fidelity == .packet
                || cells[index].link.fidelity == .any && backend?.isInSandbox != false
        }
        guard !leading.isEmpty,
            let obstacle = try await OutsideProgram.obstacle(
                to: dependencies.outsideProgram(), by: dependencies.links)
        else { return demands }
        var demands = demands
        for index in leading {
            demands[index].whyNotInSandbox =
                "its host is not Headwind's, and a sandbox cannot reach it. \(obstacle.withoutFullStop)"
        }
        return demands
    }

    /// Two for each processor, as one mostly waits for its link.
    package static let usualJobs = min(Pace.most, Pace.leastEach * max(1, HostFacts.ofThisMachine.processors))

    /// The folder for temporary files.
    static var temporary: FilePath {
        FilePath(Environment.value("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
    }
}
