package import FoundationEssentials
import Glibc
package import SystemPackage

/// A folder with a folder of its own for each run, of which a link `latest` names the last that began.
///
/// Old runs are removed on demand: those alone that were made here, are marked as such, are this user's, and run no more.
/// Whatever else is there is somebody's, and is left alone; no link is followed.
package struct RunFolders: Sendable {
    package let root: FilePath

    /// The file that marks a folder as a run's, and is locked for as long as the run goes on.
    static let markName = ".headwind-run"
    /// The link to the last run.
    package static let latestName = "latest"

    package init(root: FilePath) { self.root = root }

    /// The folder of a run that goes on.
    package final class Place: Sendable {
        package let path: FilePath
        /// Why the link to the last run is not set; nil where it is.
        package let whyNotLatest: String?
        private let mark: FileDescriptor

        fileprivate init(path: FilePath, mark: FileDescriptor, whyNotLatest: String?) {
            (self.path, self.mark, self.whyNotLatest) = (path, mark, whyNotLatest)
        }

        deinit { try? mark.close() }
    }

    /// Makes the folder of a run that begins now, and has `latest` name it.
    ///
    /// Throws ``HarnessError/noResultsFolder(_:reason:_:)``.
    package func begin(at moment: Date = Date()) throws -> Place {
        do {
            try FileManager.default.createDirectory(atPath: root.string, withIntermediateDirectories: true)
            let path = try make(at: moment)
            let mark = try FileDescriptor.open(
                path.appending(Self.markName), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            _ = try mark.writeAll(Self.markText.utf8)
            flock(mark.rawValue, LOCK_SH | LOCK_NB)
            return Place(path: path, mark: mark, whyNotLatest: pointLatest(to: path))
        } catch {
            throw HarnessError.noResultsFolder(root, reason: error.systemReason, error.systemErrno)
        }
    }

    private static let markText = "The results of one run; 'headwind run --keep' may remove this folder.\n"

    /// `2026-11-22T10-15-03Z-5f3a`: the order of names is that of time.
    private func make(at moment: Date) throws -> FilePath {
        let time = moment.formatted(Date.ISO8601FormatStyle()).replacing(":", with: "-")
        for _ in 0..<100 {
            let digits = String(UInt16.random(in: 0x1000...0xFFFF), radix: 16)
            let path = root.appending("\(time)-\(digits)")
            if mkdir(path.string, 0o755) == 0 { return path }
            guard errno == EEXIST else { break }
        }
        throw Errno(rawValue: errno)
    }

    /// Replaces the link in one step; answers why it was left as it is.
    private func pointLatest(to path: FilePath) -> String? {
        let link = root.appending(Self.latestName)
        var status = stat()
        if lstat(link.string, &status) == 0, status.st_mode & S_IFMT != S_IFLNK {
            return "'\(link)' is no link, and is left as it is"
        }
        let draft = root.appending(".\(path.lastComponent?.string ?? "").\(Self.latestName)")
        guard symlink(path.lastComponent?.string ?? "", draft.string) == 0, rename(draft.string, link.string) == 0
        else {
            let error = Errno(rawValue: errno)
            unlink(draft.string)
            return "'\(link)' could not be set: \(error)"
        }
        return nil
    }
}
