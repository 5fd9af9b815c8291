import Evidence
import LinkModel
package import Links
import LinuxSupport
import ResultFiles
import Results
package import Scenarios
package import SystemPackage

extension ProgramRecord {
    /// What prevents a folder from being replaced by a bundle; nil if nothing does.
    package static func obstacleToBundle(at place: FilePath) -> String? { BundlePlace(place).obstacle }

    /// Writes a bundle with all that is needed to replay the run of a program, completely or not at all.
    ///
    /// It only replaces another bundle. `cell` has the program, the faults of its link, and their seed; `capture` is the
    /// file with the packets of the run, or nil if they were not recorded. Throws `ResultFileError` if it cannot be
    /// written, or if there were too many faults to record all.
    package func writeBundle(
        to place: FilePath, of cell: Cell, over backend: LinkBackend, _ programs: Programs, toolVersion: String,
        capture: FilePath?
    ) throws {
        let context = CellContext(
            settings: RunSettings(programs: programs), cell: cell, content: nil, plan: BackendPlan(backend),
            runScratch: "/", scratch: "/")
        let setup = context.setup(attempt: 1)
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
            result: result, timeline: trace.timeline(cell: cell.id, attempt: 1),
            schedules: schedules,
            captures: capture.map { [1: $0] } ?? [:])
        let draft = BundleDraft(attempt, in: outcome, of: cell, programs.facts(toolVersion: toolVersion))
        guard let draft else {
            throw ResultFileError.notWritten(place, reason: "the link had more faults than a fault schedule can hold")
        }
        try draft.write(to: place)
    }
}
