import PackFormat
import Results
package import SystemPackage

/// Why a run cannot be done as its scenario says.
package enum HarnessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A manifest's address has another scheme than the host will have.
    case wrongScheme(url: String, asked: String)
    /// A cell cannot have, or has no longer, this machine's networks.
    case noNetwork(String, isLost: Bool)
    /// The folder that a command is to run in is not there.
    case noFolder(FilePath)
    /// A program that belongs to Headwind is not where it should be.
    case programMissing(FilePath, Errno)
    /// What is to take headwind-client's place cannot be run.
    case clientUnusable(String, reason: String)
    /// The folder for results could not be made, or cannot be written to: nothing has been started.
    case noResultsFolder(FilePath, reason: String, Errno?)
    /// Another process writes to the folder for results, and what that says of itself: nothing has been started.
    case folderInUse(FilePath, by: String?)
    /// Files in the folder for results that would be replaced, and are not known to be Headwind's: nothing has been started.
    case foreignFiles(FilePath, names: [String])
    /// A file or folder could not be made or written.
    case notWritten(FilePath, reason: String, Errno? = nil)
    /// The file system of scratch files is full, or too full; what is free, or what failed.
    case noRoom(FilePath, String)
    /// The environment does not hold a variable that the scenario names.
    case variableMissing(String)

    package var description: String {
        switch self {
        case .wrongScheme(let url, let asked):
            "The manifest says '\(url)', but the host of this scenario speaks \(asked). "
                + "Write 'tls: \(asked == "http")' into the scenario."
        case .noNetwork(let reason, _): reason
        case .noFolder(let path):
            "The command is to run in '\(path)', which is no folder here. Make it, or change the workload's 'directory'."
        case .programMissing(let path, let error):
            "Could not run '\(path)', which belongs beside headwind: \(error). Build it with 'swift build'."
        case .clientUnusable(let name, let reason):
            "Could not use '\(name)' as the client: \(reason). Name a program, by a path with a '/' or as it is called in PATH."
        case .noResultsFolder(let path, let reason, _):
            "Could not make the folder for results '\(path)': \(reason). Choose another place with --output."
        case .folderInUse(let path, let process):
            "Could not use '\(path)' as the folder for results: another run writes to it (\(process ?? "which does not say its name")). "
                + "Wait for that to end, or choose another folder with --output."
        case .foreignFiles(let path, let names):
            "Could not use '\(path)' as the folder for results: \(names.map { "'\($0)'" }.joined(separator: ", ")) in it "
                + "\(names.count == 1 ? "does not look like a file" : "do not look like files") of Headwind's, and would be "
                + "replaced. Move \(names.count == 1 ? "it" : "them") away, or choose another folder with --output."
        case .notWritten(let path, let reason, _):
            "Could not write '\(path)': \(reason.withoutFullStop). Choose another place with --output, or make room."
        case .noRoom(let path, let reason):
            "There is no room for temporary files in '\(path)': \(reason.withoutFullStop). Make room, or set TMPDIR to another folder."
        case .variableMissing(let name):
            "The scenario takes a token from the environment variable '\(name)', which is not set. Set it, and run again."
        }
    }
}

extension HarnessError {
    /// Tells a full file system from other trouble in writing a scratch file.
    init(writing path: FilePath, _ error: any Error) {
        self = error.isNoSpace ? .noRoom(path, error.systemReason) : .notWritten(path, reason: error.systemReason)
    }

    /// Keeps what the system said of a file that could not be written.
    init(unwritten path: FilePath, _ error: any Error) {
        let isFull = (error as? HarnessError)?.isFullDisk ?? error.isNoSpace
        self = .notWritten(path, reason: error.systemReason, error.systemErrno ?? (isFull ? .noSpace : nil))
    }

    /// Whether a file could not be written because its file system has no room left, or none for this user.
    var isFullDisk: Bool {
        switch self {
        case .noRoom: true
        case .notWritten(_, _, let error?): error.isNoRoom
        default: false
        }
    }

    /// Where the error stands in the table.
    var attribution: Attribution {
        switch self {
        case .programMissing, .noNetwork(_, isLost: false), .noFolder, .clientUnusable:
            .capabilityMissing
        case .noNetwork(_, isLost: true): .cellDied
        case .wrongScheme, .variableMissing: .harnessFailed
        case .notWritten, .noRoom, .noResultsFolder: .scratchDiskFull
        case .foreignFiles, .folderInUse: .resultsNotWritten
        }
    }
}
