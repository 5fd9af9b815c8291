import PackFormat
import Results
package import SystemPackage

/// Why a folder of results cannot be used, or a file in it not be written.
package enum ResultFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder could not be made, or cannot be written to: nothing has been started.
    case noResultsFolder(FilePath, reason: String, Errno?)
    /// Another process writes to the folder, and what that says of itself: nothing has been started.
    case folderInUse(FilePath, by: String?)
    /// Files in the folder that would be replaced, and are not known to be Headwind's: nothing has been started.
    case foreignFiles(FilePath, names: [String])
    /// There is no run in the folder that could be taken up.
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

    /// Keeps what the system said of a file that could not be written.
    init(unwritten path: FilePath, _ error: any Error) {
        let isFull = (error as? Self)?.isFullDisk ?? error.isNoSpace
        self = .notWritten(path, reason: error.systemReason, error.systemErrno ?? (isFull ? .noSpace : nil))
    }

    /// Whether a file could not be written because its file system has no room left, or none for this user.
    var isFullDisk: Bool { if case .notWritten(_, _, let error?) = self { error.isNoRoom } else { false } }
}

/// Results that are put together have something that is larger than what a run writes.
package struct OversizedInput: Error, CustomStringConvertible {
    let what: String
    /// Bytes, whole MiB.
    let most: Int64

    package init(what: String, most: Int64) { (self.what, self.most) = (what, most) }

    package var description: String { "\(what) has more than \(most >> 20) MiB" }
}
