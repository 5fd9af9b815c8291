import FoundationEssentials
import Glibc
import Harness

/// How `headwind exec` ended, for programs: what a status of 125 to 127 alone cannot tell from CMD's own.
package struct ExecStatus: Encodable, Sendable {
    package enum Cause: String, Encodable, Sendable {
        /// CMD ended by itself.
        case command
        /// A signal ended CMD.
        case signal
        /// Its time (--timeout) was over.
        case timeout
        case notFound = "not-found"
        case notExecutable = "not-executable"
        /// Headwind itself failed, and CMD was not run, or not to its end.
        case headwind
    }

    /// What Headwind's own failures are called: git bisect run(1) passes over it.
    package static let ownFailure: Int32 = 125
    /// What timeout(1) ends with where a program's time was over.
    static let late: Int32 = 124

    var version = 1
    package let status: Int32
    let cause: Cause
    /// What the link was: `packet`, `kernel` or `proxy`; absent if there was none.
    var backend: String?
    package var message: String?

    package init(status: Int32, cause: Cause, message: String? = nil) {
        (self.status, self.cause, self.message) = (status, cause, message)
    }

    /// Whether a person ended it, who does not want another run.
    var isStopping: Bool { cause == .signal && [128 + SIGINT, 128 + SIGTERM].contains(status) }

    /// It as a file of JSON, with sorted keys.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// The end of a program, which has not been one for its time where it is not `late`.
    init(_ end: ProgramEnd) {
        switch end {
        case .exited(let status): self.init(status: status, cause: .command)
        case .signalled(let signal): self.init(status: 128 + signal, cause: .signal)
        case .late:
            self.init(
                status: Self.late, cause: .timeout, message: "CMD was stopped: its time limit (--timeout) expired.")
        }
    }

    /// Whether a program did not end by itself with the status that it was to.
    func hasFailed(asked status: Int32) -> Bool { cause != .command || self.status != status }
}

/// What came of a program.
struct ExecOutcome: Sendable {
    var status: ExecStatus
    /// What happened on its link, where that was to be kept.
    var record: ProgramRecord?
}
