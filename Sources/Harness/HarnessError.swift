import PackFormat
import ResultFiles
import Results
package import SystemPackage

/// Why a run cannot be made as its scenario says.
package enum HarnessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A URL in a manifest has another scheme than the host.
    case wrongScheme(url: String, asked: String)
    /// A cell cannot use this machine's networks, or has lost them.
    case noNetwork(String, isLost: Bool)
    /// The scenario's host has an IPv6 address, but the sandbox has none; the reason is a sentence.
    case noIPv6(String)
    /// The working folder of a command does not exist.
    case noFolder(FilePath)
    /// A program that belongs to Headwind is missing.
    case programMissing(FilePath, Errno)
    /// The program that replaces headwind-client cannot be run.
    case clientUnusable(String, reason: String)
    /// A file or folder could not be made or written.
    case notWritten(FilePath, reason: String)
    /// The file system of temporary files is full, or nearly; the reason is the free space, or the failed operation.
    case noRoom(FilePath, String)
    /// A fault could not fill the client's device.
    case deviceNotFilled(Errno)
    /// An environment variable that the scenario names is not set.
    case variableMissing(String)

    package var description: String {
        switch self {
        case .wrongScheme(let url, let asked):
            "The manifest says '\(url)', but the host of this scenario speaks \(asked). Write 'tls: \(asked == "http")' into the scenario."
        case .noNetwork(let reason, _): reason
        case .noIPv6(let why):
            "The host of this scenario has an IPv6 address. \(why) Leave 'ipv6' out of its 'addresses', or run it elsewhere."
        case .noFolder(let path):
            "Could not run the command in '\(path)': it is not a folder. Make it, or change the workload's 'directory'."
        case .programMissing(let path, let error):
            "Could not run '\(path)', which belongs beside headwind: \(error). Build it with 'swift build'."
        case .clientUnusable(let name, let reason):
            "Could not use '\(name)' as the client: \(reason). Give a program's path with a '/', or its name in PATH."
        case .notWritten(let path, let reason): ResultFileError.notWritten(path, reason: reason).description
        case .noRoom(let path, let reason):
            "There is no room for temporary files in '\(path)': \(reason.withoutFullStop). Make room, or set TMPDIR to another folder."
        case .deviceNotFilled(let error):
            "Could not fill the client's device, a file system in memory: \(error.systemReason). Free memory, or raise the limit."
        case .variableMissing(let name):
            "The scenario takes a token from the environment variable '\(name)', which is not set. Set it, and run again."
        }
    }
}

extension HarnessError {
    /// Makes ``noRoom(_:_:)`` of an error about a full file system, and ``notWritten(_:reason:)`` of any other.
    init(writing path: FilePath, _ error: any Error) {
        self = error.isNoSpace ? .noRoom(path, error.systemReason) : .notWritten(path, reason: error.systemReason)
    }

    /// The cause that findings with this error have.
    var attribution: Attribution {
        switch self {
        case .programMissing, .noNetwork(_, isLost: false), .noIPv6, .noFolder, .clientUnusable:
            .capabilityMissing
        case .noNetwork(_, isLost: true): .cellDied
        case .wrongScheme, .variableMissing, .deviceNotFilled: .harnessFailed
        case .notWritten, .noRoom: .scratchDiskFull
        }
    }
}
