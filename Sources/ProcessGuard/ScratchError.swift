package import SystemPackage

/// Why a scratch directory could not be made or removed.
package enum ScratchError: Error, Equatable, CustomStringConvertible {
    /// There is none.
    case notMade(parent: FilePath, Errno)
    /// Something of it is still there.
    case notRemoved(path: FilePath, Errno)
    /// The parent cannot be looked through for leftovers.
    case notSwept(parent: FilePath, Errno)

    package var description: String {
        switch self {
        case .notMade(let parent, let error):
            "Could not make a scratch directory in '\(parent)': \(error). Choose a directory of a local filesystem that "
                + "you may write to, for example by TMPDIR."
        case .notRemoved(let path, let error):
            "Could not remove the scratch directory '\(path)': \(error). Unmount what a program mounted there; the next "
                + "run removes the rest."
        case .notSwept(let parent, let error):
            "Could not look for leftovers of earlier runs in '\(parent)': \(error). Choose a directory that you may "
                + "read, for example by TMPDIR."
        }
    }
}
