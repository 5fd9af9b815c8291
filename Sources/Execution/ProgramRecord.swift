import Evidence
import LinkModel
import Links
import LinuxSupport
import ResultFiles
import Results
import Scenarios
import SystemPackage

/// The events of a link while a program ran.
struct ProgramRecord: Sendable {
    let trace: AttemptTrace

    /// Writes a bundle with all that is needed to replay the run of a program, completely or not at all.
    ///
    /// It only replaces another bundle. `cell` has the program, the faults of its link, and their seed; `capture` is
    /// the file with the packets of the run, or nil if they were not recorded. Throws `ResultFileError` if it cannot
    /// be written, or if there were too many faults to record all.
    func writeBundle(
        to place: FilePath, of cell: Cell, over backend: LinkBackend, _ facts: RunFacts, capture: FilePath?
    ) throws {
        // As `CellContext.setup` has it for the first attempt of a run.
        var setup = AttemptSetup(cell, content: nil)
        setup.seed = cell.schedule?.faults.seed ?? cell.link.seed
        (setup.isInSandbox, setup.hasBuckets) = (backend.isInSandbox, backend.provider.hasBuckets)
        setup.scheduleFile = CellFiles.schedule(of: cell.id, attempt: setup.number)
        let schedule = FaultLog(trace).schedule(setup)
        var judge = AttemptJudge(trace, setup)
        judge.schedule = schedule
        let attempt = judge.record(from: trace.linkStart, to: MonotonicClock.now)
        let plan = CellPlan(cell, over: backend.fidelity)
        let result = CellResult(
            scenario: cell.id, title: cell.title,
            link: LinkFacts(
                profile: cell.link.profile.name, backend: backend.rawValue, fidelity: backend.fidelity.rawValue),
            plan: plan, attempts: [attempt], startedAt: "", durationSeconds: attempt.durationSeconds)
        var schedules: [String: FaultSchedule] = [:]
        if let file = attempt.schedule?.file { schedules[file] = schedule }
        let outcome = CellOutcome(
            result: result, timeline: trace.timeline(cell: cell.id, attempt: setup.number), schedules: schedules,
            captures: capture.map { [setup.number: $0] } ?? [:])
        guard let draft = BundleDraft(attempt, in: outcome, of: cell, facts) else {
            throw ResultFileError.notWritten(place, reason: "the link had more faults than a fault schedule can hold")
        }
        try draft.write(to: place)
    }
}
