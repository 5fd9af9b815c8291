import Glibc

/// How `headwind exec` ended, in a form for programs.
///
/// It distinguishes Headwind's statuses 125 to 127 from equal statuses of CMD.
package struct ExecStatus: Encodable, Sendable {
    package enum Cause: String, Encodable, Sendable {
        /// CMD exited by itself.
        case command
        /// A signal ended CMD.
        case signal
        /// Its time limit (--timeout) expired.
        case timeout
        case notFound = "not-found"
        case notExecutable = "not-executable"
        /// Headwind itself failed, and CMD did not run, or not to its end.
        case headwind
    }

    /// The status of Headwind's own failures; git bisect run(1) skips it.
    package static let ownFailure: Int32 = 125
    /// The status after a program's time limit, as of timeout(1).
    static let late: Int32 = 124

    var version = 1
    package let status: Int32
    let cause: Cause
    /// The backend of the link: `packet`, `kernel` or `proxy`; absent if there was none.
    var backend: String?
    package var message: String?

    package init(status: Int32, cause: Cause, message: String? = nil) {
        (self.status, self.cause, self.message) = (status, cause, message)
    }

    /// Whether SIGINT or SIGTERM ended it: the user wants no further run.
    var isStopping: Bool { cause == .signal && [128 + SIGINT, 128 + SIGTERM].contains(status) }

    /// The status for the end of a program; only `late` means that its time limit expired.
    init(_ end: ProgramEnd) {
        switch end {
        case .exited(let status): self.init(status: status, cause: .command)
        case .signalled(let signal): self.init(status: 128 + signal, cause: .signal)
        case .late:
            self.init(
                status: Self.late, cause: .timeout, message: "CMD was stopped: its time limit (--timeout) expired.")
        }
    }

    /// Whether a program failed to end by itself with the requested status.
    func hasFailed(asked status: Int32) -> Bool { cause != .command || self.status != status }
}

/// The result of a program.
struct ExecOutcome: Sendable {
    var status: ExecStatus
    /// The record of its link; nil if it was not kept.
    var record: ProgramRecord?
}
