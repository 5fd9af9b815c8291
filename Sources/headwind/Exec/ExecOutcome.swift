import Harness

/// What came of a program.
struct ExecOutcome: Sendable {
    var status: ExecStatus
    /// What happened on its link, where that was to be kept.
    var record: ProgramRecord?
}
