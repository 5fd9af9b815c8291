package import FoundationEssentials
import Glibc
import PackFormat
package import SystemPackage

/// A folder with a folder of its own for each run, of which a link `latest` names the last that began.
///
/// Old runs are removed on demand: those alone that were made here, are marked as such, are this user's, and run no more.
/// Whatever else is there is somebody's, and is left alone; no link is followed.
package struct RunFolders: Sendable {
    package let root: FilePath

    /// The link to the last run.
    package static let latestName = "latest"

    package init(root: FilePath) { self.root = root }

    /// The folder of a run that goes on.
    package struct Place: Sendable {
        package let hold: ResultsLock
        /// Why the link to the last run is not set; nil where it is.
        package let whyNotLatest: String?

        package var path: FilePath { hold.folder }
    }

    /// Makes the folder of a run that begins now, and has `latest` name it.
    ///
    /// `command` is what its file says of this process. Throws ``ResultFileError/noResultsFolder(_:reason:_:)``.
    package func begin(at moment: Date = Date(), command: [String]) throws -> Place {
        let path: FilePath
        do {
            try FileManager.default.createDirectory(atPath: root.string, withIntermediateDirectories: true)
            path = try make(at: moment)
        } catch {
            throw ResultFileError.noResultsFolder(root, reason: error.systemReason, error.systemErrno)
        }
        // In this order: a folder that 'latest' names is only removed by those who have its lock, and look then.
        let hold = try ResultsLock(path, command: command, marks: true)
        return Place(hold: hold, whyNotLatest: pointLatest(to: path))
    }

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
            return "'\(link)' is not a link, and is left unchanged"
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
