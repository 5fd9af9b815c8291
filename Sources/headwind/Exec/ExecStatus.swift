import FoundationEssentials
import Glibc
import SystemPackage

/// How `headwind exec` ended, for programs: what a status of 125 to 127 alone cannot tell from CMD's own.
struct ExecStatus: Encodable {
    enum Cause: String, Encodable {
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

    var version = 1
    let status: Int32
    let cause: Cause
    /// What the link was: `packet`, `kernel` or `proxy`; absent where none came to be.
    var backend: String?
    var message: String?

    /// Whether a person ended it, who does not want another run.
    var isStopping: Bool { cause == .signal && [128 + SIGINT, 128 + SIGTERM].contains(status) }

    /// Throws ``CommandFailure`` where the file cannot be written.
    func write(to path: FilePath) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try FileReplacement.write(String(decoding: try encoder.encode(self), as: UTF8.self) + "\n", to: path)
    }
}
