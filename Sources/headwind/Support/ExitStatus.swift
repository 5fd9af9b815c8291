import PackFormat
import SystemPackage

/// The exit status of headwind; a larger status is worse, so the maximum of several is the worst.
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
    /// The client did not cause the trouble, and another try may succeed (EX_TEMPFAIL).
    case infrastructure = 75
    /// A privilege is missing (EX_NOPERM).
    case noPermission = 77
    /// A replay played the faults of a bundle, and the failure did not come back.
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

extension ExitStatus {
    /// The status if a file that the user named cannot be written.
    ///
    /// Only a full disk is temporary.
    init(cannotWrite error: Errno) {
        self =
            switch error {
            case _ where error.isNoRoom: .infrastructure
            case .permissionDenied, .notPermitted, .readOnlyFileSystem: .noPermission
            default: .usage
            }
    }

    /// The status if a program cannot listen on an address that the user named.
    ///
    /// A port in use may be free at the next try.
    init(cannotListen error: Errno?) {
        self =
            switch error {
            case .permissionDenied?, .notPermitted?: .noPermission
            case .addressNotAvailable?, .addressFamilyNotSupported?, .invalidArgument?: .usage
            default: .infrastructure
            }
    }
}
