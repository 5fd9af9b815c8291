package import SystemPackage

/// Why a program could not be run under a guard.
///
/// What the program itself does wrong is not an error.
package enum GuardError: Error, Equatable, CustomStringConvertible {
    /// The program of the guard cannot be started.
    case noGuard(path: FilePath, Errno)
    /// A file that the program was to read or write cannot be opened.
    case noFile(path: FilePath, Errno)
    /// A string for the kernel has a zero in it, or the name of a variable an equals sign, and would be cut there.
    case notRepresentable(String)
    /// A descriptor or a process is refused.
    case noResources(attempted: String, Errno)
    /// The guard could not begin.
    case notBegun(command: String, Errno)
    /// A guard was killed; where the other one was not, all that the program had started has ended.
    case lost(command: String, guardProcessID: Int32, isAllEnded: Bool)
    /// The guard of the scratch directory was killed before it had made it.
    case keeperLost(guardProcessID: Int32)
    /// A line of the program is longer than this.
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
