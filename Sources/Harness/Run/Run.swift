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
    /// Where results are written; nil writes none.
    package var output: FilePath?
    /// What keeps others from writing to `output`; nil, the default: the run sees to it itself, for as long as it takes.
    package var hold: ResultsLock?
    /// What links showed already; nil measures each anew.
    ///
    /// The second is of what was measured with nothing beside it.
    var calibrations: [CalibrationStore]?
    /// Where JUnit is written beside the results; nil: nowhere else.
    package var junit: FilePath?
    /// Which part of a divided run this is; nil, the default: all of it.
    ///
    /// See ``keep(_:of:)``.
    package internal(set) var shard: ShardNumber?
    /// Which share of each cell's attempts is made here; nil, the default: all of them.
    ///
    /// See ``keep(sharesOf:)``.
    var attemptShare: ShardNumber?
    /// The number of each cell among those of the whole run, where this is a part.
    var places: [Int] = []
    /// How many cells of the whole run are compared; nil: those that are here.
    var comparedCells: Int?
    /// How many attempts go on at once at most, whichever cells they are of; nil, the default: as many as the machine takes.
    package var jobs: Int?
    /// How many cells more run at once while as many only wait for a client that shows no sign of life.
    package var mostIdle = 0
    /// Whether a cell without a result, by trouble that may be gone the next time, is run once more at the end.
    package var retriesTrouble = false
    /// After how long the run is ended by force, and reported as far as it came; nil, the default: never.
    package var deadline: Duration?
    /// The option that sets the deadline of every cell; nil, the default: their scenarios do.
    package var cellDeadlineOption: String?
    /// What too little evidence comes to.
    package var onInconclusive = RunResult.OnInconclusive.fail
    /// What carries links whose scenario asks for no fidelity; nil, the default: the first that works here.
    package var backend: LinkBackend?
    /// What budgets against a baseline compare with; nil, the default: nothing.
    package var comparison: RunComparison?
    /// Where packs that are built of catalogs are kept, and taken from; nil, the default: they are built anew.
    package var packs: FilePath?
    /// What is recorded of packets in `output`; nil: nothing but what a bundle takes along.
    package var capture: RunCapture?
    /// Names that have addresses whatever a resolver says, for hosts that are not Headwind's; none by default.
    package var resolved: [ResolvedName] {
        get { dependencies.resolved }
        set { dependencies.resolved = newValue }
    }
    /// What attempts are built from.
    var dependencies = AttemptDependencies()
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
    /// scenario can tell, ``ResultFileError`` where there can be no results, and `GuardError` and `ScratchError` where there can
    /// be no scratch directory; and `ResourceShortage`, before anything is written, where a limit leaves too little.
    package func perform() async throws -> RunResult {
        let cells = scenarios.flatMap(\.cells)
        return try await perform(cells, into: try record(of: cells))
    }

    /// Runs cells that a record has, those from `first` on, and judges all that it has.
    func perform(_ cells: [Cell], into record: RunRecord, from first: Int = 0) async throws -> RunResult {
        let seats = try mostSeats(for: cells)
        secrets(of: cells).hold()
        report(.planned(cells: cells.count))
        record.begin()
        // Leftovers of runs that were killed; those that cannot be removed are somebody else's.
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
            // Below, because a run may also be cancelled after its last cell.
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
            // All cells are finished, and it is not the client's doing.
            report(.left(error.description))
        }
        if Task.isCancelled { ending = Finding(whyCancelled(), "") }
        return finish(record, ending)
    }

    /// What the results of cells are kept in, and the folder for them.
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

    /// Runs the cells, and tells of each as soon as it has ended: those that take long keep no other one back.
    private func run(
        _ cells: [Cell], in scratch: FilePath, into record: RunRecord, from first: Int, _ seats: Int
    ) async throws {
        let contents = ContentStore(scratch: scratch, packs: builtPacks)
        try prepare(contents)
        let cells = try cells.map { $0.withDeadline(try contents.prepare($0)) }
        let plans = try await backendPlans(for: cells, contents)
        // What was measured while others ran is measured anew where it was not as it should be.
        let calibrations = calibrations ?? [CalibrationStore(), CalibrationStore()]
        let comparing = CellComparison(comparison, cells: comparedCells ?? cells.count(where: \.isCompared))
        var done = 0
        let jobsFact = jobsFact(cells)
        let scheduler = CellScheduler(
            pace: pace(most: seats), mostIdle: mostIdle, order: try order(of: cells, contents),
            noises: jobs == nil ? Witness.stretches(of: Pace.stretch) : nil, retriesTrouble: retriesTrouble
        ) { index, isAlone, seat in
            let runner = CellRunner(
                cell: cells[index], programs: programs, dependencies: dependencies, contents: contents,
                contentDigest: try contents.prepare(cells[index])?.digest, calibrations: calibrations[isAlone ? 1 : 0],
                plan: plans[index], runScratch: scratch,
                scratch: scratch.appending("cell-\(index)"), toolVersion: toolVersion,
                jobs: jobsFact,
                capture: capture(of: cells[index], by: plans[index].backend, scratch, index), comparison: comparing,
                share: attemptShare, seat: seat, report: report)
            return try await runner.run()
        } finish: { index, outcome in
            report(.ended(cell: cells[index].id))
            done += 1
            report(.judged(record.add(outcome, at: first + index), done: done, of: cells.count))
        } postpone: { index, why in
            report(.postponed(cell: cells[index].id, why: why))
        }
        try await scheduler.perform()
    }

    /// What carries each cell's link; tells where that is less than packets.
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

    /// The demands of cells, knowing whether this machine has a way out of a sandbox, where one needs it.
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

    /// Where the packets of a cell are recorded: what was not asked for is for a bundle, and goes with the run.
    private func capture(
        of cell: Cell, by backend: LinkBackend, _ scratch: FilePath, _ index: Int
    ) -> AttemptCapture? {
        guard let output, backend.provider.recordsPackets else { return nil }
        guard let capture else {
            return AttemptCapture(
                folder: scratch.appending(CellFiles.captures), name: "cell-\(index)", limit: AttemptCapture.leastLimit)
        }
        return AttemptCapture(
            folder: output.appending(CellFiles.captures), name: cell.id, limit: capture.limit,
            keepsSecrets: capture.keepsSecrets)
    }

    /// Two for each processor: one waits mostly for its link.
    package static let usualJobs = min(Pace.most, Pace.leastEach * max(1, HostFacts.ofThisMachine().processors))

    /// The folder for what must not remain.
    static var temporary: FilePath {
        FilePath(Environment.value("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
    }
}
