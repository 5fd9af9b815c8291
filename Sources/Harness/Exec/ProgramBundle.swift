import Evidence
import LinkModel
package import Links
import LinuxSupport
import ResultFiles
import Results
package import Scenarios
package import SystemPackage

/// Writes a bundle with all that is needed to replay a run of a program.
package struct ProgramBundle: Sendable {
    /// The program, and the faults of its link.
    package var cell: Cell
    package var backend: LinkBackend
    package var seed: UInt64
    package var programs: Programs
    package var toolVersion: String
    /// The file with the packets of the run; nil if they were not recorded.
    package var capture: FilePath?

    package init(_ cell: Cell, backend: LinkBackend, seed: UInt64, programs: Programs, toolVersion: String) {
        self.cell = cell
        self.backend = backend
        self.seed = seed
        self.programs = programs
        self.toolVersion = toolVersion
    }

    /// What prevents a folder from being replaced by a bundle; nil if nothing does.
    package static func obstacle(at place: FilePath) -> String? { BundlePlace(place).obstacle }

    /// Writes a bundle completely or not at all; it only replaces another bundle.
    ///
    /// Throws `ResultFileError` if it cannot be written, or if there were too many faults to record all.
    package func write(_ record: ProgramRecord, to place: FilePath) throws {
        var cell = cell
        cell.link.seed = seed
        let context = CellContext(
            cell: cell, content: nil, programs: programs, backend: backend, runScratch: "/", scratch: "/")
        let setup = context.setup(attempt: 1)
        let schedule = FaultLog(record.trace).schedule(setup)
        var judge = AttemptJudge(record.trace, setup)
        judge.schedule = schedule
        let attempt = judge.record(from: record.trace.linkStart, to: MonotonicClock.now)
        let plan = CellPlan(cell, over: backend.fidelity)
        let result = CellResult(
            scenario: cell.id, title: cell.title,
            link: LinkFacts(
                profile: cell.link.profile.name, backend: backend.rawValue, fidelity: backend.fidelity.rawValue),
            plan: plan, attempts: [attempt], startedAt: "", durationSeconds: attempt.durationSeconds)
        var schedules: [String: FaultSchedule] = [:]
        if let file = attempt.schedule?.file { schedules[file] = schedule }
        let outcome = CellOutcome(
            result: result, timeline: record.trace.timeline(cell: cell.id, attempt: 1),
            schedules: schedules,
            captures: capture.map { [1: $0] } ?? [:])
        let draft = BundleDraft(attempt, in: outcome, of: cell, programs.facts(toolVersion: toolVersion))
        guard let draft else {
            throw ResultFileError.notWritten(place, reason: "the link had more faults than a fault schedule can hold")
        }
        try draft.write(to: place)
    }
}
