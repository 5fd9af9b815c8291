package import SystemPackage

/// Why a program could not be run under a guard.
///
/// A failure of the program itself is no such error.
package enum GuardError: Error, Equatable, CustomStringConvertible {
    /// The program of the guard cannot be started.
    case noGuard(path: FilePath, Errno)
    /// A file for the program's input or output cannot be opened.
    case noFile(path: FilePath, Errno)
    /// A string contains a zero byte, or a variable's name an equals sign: the kernel would cut it there.
    case notRepresentable(String)
    /// The system refuses a descriptor or a process.
    case noResources(attempted: String, Errno)
    /// The guard could not start a process for the command.
    case notBegun(command: String, Errno)
    /// A guard was killed; `isAllEnded` if the other guard ended the program and all that it started.
    case lost(command: String, guardProcessID: Int32, isAllEnded: Bool)
    /// The guard of the scratch directory was killed before it made the directory.
    case keeperLost(guardProcessID: Int32)
    /// A line of the program is longer than `limit` bytes.
    case lineTooLong(limit: Int)

    package var description: String {
        switch self {
        case .noGuard(let path, let error):
            "Could not start the process guard '\(path)': \(error). It belongs beside the headwind program; "
                + "build it with 'swift build --product headwind-guard'."
        case .noFile(let path, let error):
            "Could not open '\(path)' for a program's input or output: \(error)."
        case .notRepresentable(let text):
            "Could not hand \(String(reflecting: text)) to a program: the kernel ends a string at the first zero, and the "
                + "name of a variable at the first '='. Leave that character out."
        case .noResources(let attempted, let error):
            "Could not \(attempted): \(error). Close other programs, or raise the limits that 'ulimit -a' shows."
        case .notBegun(let command, let error):
            "The process guard could not start a process for '\(command)': \(error). Raise the limits that 'ulimit -a' "
                + "shows, or give the options that the guard's message on standard error asks for."
        case .lost(let command, let guardProcessID, let isAllEnded):
            "The process guard of '\(command)' (pid \(guardProcessID)) was killed before it could report. "
                + (isAllEnded
                    ? "The program, and all that it had started, was ended. Run again."
                    : "The program died with it, but processes that it had started may still run; look for them with "
                        + "'ps -ef'.")
        case .keeperLost(let guardProcessID):
            "The process guard (pid \(guardProcessID)) was killed before it had made the scratch directory. Run again."
        case .lineTooLong(let limit):
            "A program wrote a line of more than \(limit) bytes. Have it end its lines, or send them to a file."
        }
    }
}
