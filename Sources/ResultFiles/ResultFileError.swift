import PackFormat
import Results
package import SystemPackage

/// Why a folder of results cannot be used, or why a file in it cannot be written.
package enum ResultFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder could not be made, or is not writable; nothing has started.
    case noResultsFolder(FilePath, reason: String, Errno?)
    /// Another process writes to the folder, with what its lock file says of it; nothing has started.
    case folderInUse(FilePath, by: String?)
    /// Files in the folder that would be replaced are not recognized as Headwind's; nothing has started.
    case foreignFiles(FilePath, names: [String])
    /// The folder has no run that can be resumed.
    case noRun(FilePath, reason: String)
    /// A file or folder could not be made or written.
    case notWritten(FilePath, reason: String, Errno? = nil)

    package var description: String {
        switch self {
        case .noResultsFolder(let path, let reason, _):
            "Could not make the folder for results '\(path)': \(reason). Choose another place with --output."
        case .folderInUse(let path, let process):
            "Could not use '\(path)' as the folder for results: another run writes to it (\(process ?? "which does not say its name")). "
                + "Wait for that to end, or choose another folder with --output."
        case .foreignFiles(let path, let names):
            "Could not use '\(path)' as the folder for results: \(names.map { "'\($0)'" }.joined(separator: ", ")) in it "
                + "\(names.count == 1 ? "does not look like a file" : "do not look like files") of Headwind's, and would be "
                + "replaced. Move \(names.count == 1 ? "it" : "them") away, or choose another folder with --output."
        case .noRun(let path, let reason):
            "Could not resume a run in '\(path)': \(reason.withoutFullStop). Name the folder that 'headwind run --output' made."
        case .notWritten(let path, let reason, _):
            "Could not write '\(path)': \(reason.withoutFullStop). Choose another place with --output, or make room."
        }
    }

    /// The error for a file that could not be written, with the system's reason.
    init(unwritten path: FilePath, _ error: any Error) {
        let isFull = (error as? Self)?.isFullDisk ?? error.isNoSpace
        self = .notWritten(path, reason: error.systemReason, error.systemErrno ?? (isFull ? .noSpace : nil))
    }

    /// Whether a file could not be written because its file system is full, also for this user's quota only.
    var isFullDisk: Bool { if case .notWritten(_, _, let error?) = self { error.isNoRoom } else { false } }
}

/// Results to merge have something larger than any run writes.
package struct OversizedInput: Error, CustomStringConvertible {
    let what: String
    /// The limit in bytes, a multiple of 1 MiB.
    let most: Int64

    package init(what: String, most: Int64) { (self.what, self.most) = (what, most) }

    package var description: String { "\(what) has more than \(most >> 20) MiB" }
}
