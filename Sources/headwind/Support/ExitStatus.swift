/// How headwind ends; a larger status is worse for whoever sees only the maximum.
enum ExitStatus: Int32, CaseIterable {
    /// Every budget and expectation was evaluated, and held.
    case held = 0
    /// Headwind itself failed.
    case failed = 1
    /// The command line is wrong (sysexits.h: EX_USAGE).
    case usage = 64
    /// A scenario, a profile or another input file is wrong (EX_DATAERR).
    case invalidInput = 65
    /// This machine lacks a capability (EX_UNAVAILABLE).
    case unavailable = 69
    /// The trouble was not the client's: worth another try (EX_TEMPFAIL).
    case infrastructure = 75
    /// A privilege is missing (EX_NOPERM).
    case noPermission = 77
    /// The faults of a bundle were played, and the failure did not come back.
    case notReproduced = 97
    /// There was too little evidence for a verdict.
    case inconclusive = 98
    /// A budget or an expectation failed.
    case budgetFailed = 99
    /// Interrupted (SIGINT), after clean-up.
    case interrupted = 130
    /// Terminated (SIGTERM), after clean-up.
    case terminated = 143
}
