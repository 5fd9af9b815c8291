package import FoundationEssentials
import Glibc
import PackFormat
package import SystemPackage

/// A folder with one folder for each run, and a link `latest` to the last run that began.
///
/// Old runs are removed on request: only folders made here, marked as such, owned by this user, and with no run going
/// on. Everything else stays, and no link is followed.
package struct RunFolders: Sendable {
    package let root: FilePath

    /// The link to the last run.
    package static let latestName = "latest"

    package init(root: FilePath) { self.root = root }

    /// The folder of a run in progress.
    package struct Place: Sendable {
        package let hold: ResultsLock
        /// Why the link `latest` was not set; nil if it was.
        package let whyNotLatest: String?

        package var path: FilePath { hold.folder }
    }

    /// Makes the folder of a run that begins now, and sets `latest` to it.
    ///
    /// `command` is this process's command line, for the lock file. Throws
    /// ``ResultFileError/noResultsFolder(_:reason:_:)``, and as ``ResultsLock`` does.
    package func begin(at moment: Date = Date(), command: [String]) throws -> Place {
        let path: FilePath
        do {
            try FileManager.default.createDirectory(atPath: root.string, withIntermediateDirectories: true)
            path = try make(at: moment)
        } catch {
            throw ResultFileError.noResultsFolder(root, reason: error.systemReason, error.systemErrno)
        }
        // In this order: only a process that holds the lock removes a folder, and it checks then that `latest` does not
        // name it.
        let hold = try ResultsLock(path, command: command, marks: true)
        return Place(hold: hold, whyNotLatest: pointLatest(to: path))
    }

    /// A folder such as `2026-11-22T10-15-03Z-5f3a`: names sort by time.
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

    /// Replaces the link atomically; returns why it could not, or nil.
    private func pointLatest(to path: FilePath) -> String? {
        let link = root.appending(Self.latestName)
        if let type = link.fileType, type != .symbolicLink {
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
