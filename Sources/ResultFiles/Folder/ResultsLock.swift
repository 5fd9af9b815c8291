import FoundationEssentials
import Glibc
import PackFormat
import Reports
package import SystemPackage
import Wording

/// Lets only one process at a time write to a folder of results.
///
/// It locks a file in the folder with flock(2) until this object is gone or the process has ended, also by a kill. The
/// file names the process. A file that a killed process left locks nothing.
package final class ResultsLock: Sendable {
    /// The locked file, which also marks a folder of ``RunFolders``.
    static let fileName = ".headwind-run"
    /// How the file begins in a folder of ``RunFolders``.
    static let markText = "The results of one run; 'headwind run --keep' may remove this folder.\n"
    /// The start of the line that names the process.
    private static let processText = "process "
    private static let mostBytes = 4096

    package let folder: FilePath
    private let file: FileDescriptor
    /// Whether the folder is one of ``RunFolders``; then the file stays.
    private let isMarked: Bool

    /// Locks a folder, and makes it if it does not exist.
    ///
    /// `command` is this process's command line, for the file. `marks` (default: false) makes the folder one of
    /// ``RunFolders``.
    ///
    /// Throws ``ResultFileError/folderInUse(_:by:)`` if another process holds it,
    /// ``ResultFileError/foreignFiles(_:names:)`` if the file is not Headwind's, and
    /// ``ResultFileError/noResultsFolder(_:reason:_:)`` if it cannot be made or locked.
    package init(_ folder: FilePath, command: [String], marks: Bool = false) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        } catch {
            throw ResultFileError.noResultsFolder(folder, reason: error.systemReason, error.systemErrno)
        }
        let file = try Self.lock(folder.appending(Self.fileName), of: folder, makes: true)
        let isMarked = try file.closeOnFailure {
            let text = try Self.text(of: file)
            guard text.isEmpty || text.hasPrefix(Self.markText) || text.hasPrefix(Self.processText) else {
                throw ResultFileError.foreignFiles(folder, names: [Self.fileName])
            }
            let isMarked = marks || text.hasPrefix(Self.markText)
            let line = String(
                "\(Self.processText)\(getpid()), \(ShellWords.quoted(command))".prefix(Self.mostBytes / 8))
            // Another user's file may be lockable but not writable: then it names no process.
            Self.write((isMarked ? Self.markText : "") + line + "\n", to: file)
            return isMarked
        }
        (self.folder, self.file, self.isMarked) = (folder, file, isMarked)
    }

    /// Locks the folder of an ended run of ``RunFolders``, to remove it; nil if it is gone, not marked, or in use.
    ///
    /// Throws as the other initializer does.
    init?(ended folder: FilePath) throws {
        let file: FileDescriptor
        do { file = try Self.lock(folder.appending(Self.fileName), of: folder, makes: false) } catch {
            switch error as? ResultFileError {
            case .folderInUse?, .noResultsFolder(_, _, .noSuchFileOrDirectory?)?: return nil
            default: throw error
            }
        }
        guard (try? Self.text(of: file).hasPrefix(Self.markText)) == true else {
            try? file.close()
            return nil
        }
        (self.folder, self.file, isMarked) = (folder, file, true)
    }

    /// Whether a folder is marked as one of ``RunFolders``.
    static func isMarked(_ folder: FilePath) -> Bool {
        guard let file = try? open(folder.appending(fileName), makes: false) else { return false }
        return (try? file.closeAfter { try text(of: file).hasPrefix(markText) }) ?? false
    }

    deinit {
        // Before the unlock, because another process may hold it afterwards.
        if isMarked { Self.write(Self.markText, to: file) } else { unlink(folder.appending(Self.fileName).string) }
        try? file.close()
    }

    /// Opens and locks the file; `makes` creates a missing one.
    private static func lock(_ path: FilePath, of folder: FilePath, makes: Bool) throws -> FileDescriptor {
        while true {
            let file: FileDescriptor
            do { file = try open(path, makes: makes) } catch {
                let reason =
                    error == .tooManySymbolicLinkLevels
                    ? "'\(fileName)' in it is a link, which is not followed; remove it"
                    : "'\(fileName)' in it cannot be written: \(error)"
                throw ResultFileError.noResultsFolder(folder, reason: reason, error)
            }
            try file.closeOnFailure { try lock(file, in: folder) }
            // The previous holder may have removed the file in the meantime.
            if isSame(file, path) { return file }
            try file.close()
        }
    }

    private static func open(_ path: FilePath, makes: Bool) throws(Errno) -> FileDescriptor {
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        var number = Glibc.open(path.string, O_RDWR | flags | (makes ? O_CREAT : 0), 0o644)
        // For another user's file, see also fs.protected_regular in proc_sys_fs(5).
        if number < 0, errno == EACCES { number = Glibc.open(path.string, O_RDONLY | flags) }
        guard number >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: number)
    }

    private static func lock(_ file: FileDescriptor, in folder: FilePath) throws {
        guard let status = try? file.stat(), status.type == .regular else {
            throw ResultFileError.noResultsFolder(folder, reason: "'\(fileName)' in it is not a file; remove it", nil)
        }
        while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
            let error = Errno(rawValue: errno)
            switch error {
            case .interrupted: continue
            case .wouldBlock: throw ResultFileError.folderInUse(folder, by: process(in: try text(of: file)))
            default:
                // Leaves nothing in a folder that cannot be used.
                if status.size == 0 { unlink(folder.appending(fileName).string) }
                let reason = "its file system cannot lock files, so two runs could write to it at once (\(error))"
                throw ResultFileError.noResultsFolder(folder, reason: reason, error)
            }
        }
    }

    /// The line of a file that names its process: `process 4711, headwind run`; nil if it has none.
    private static func process(in text: String) -> String? {
        text.split(separator: "\n").last { $0.hasPrefix(processText) }.map(String.init)
    }

    private static func text(of file: FileDescriptor) throws -> String {
        String(decoding: try file.bytes(from: 0, count: mostBytes), as: UTF8.self)
    }

    /// Not atomic: another process may read a part.
    private static func write(_ text: String, to file: FileDescriptor) {
        guard ftruncate(file.rawValue, 0) == 0 else { return }
        _ = try? file.writeAll(toAbsoluteOffset: 0, text.utf8)
    }

    /// Whether a file is still the one at a path.
    private static func isSame(_ file: FileDescriptor, _ path: FilePath) -> Bool {
        guard let own = try? file.stat(), let named = try? path.stat(followTargetSymlink: false) else { return false }
        return own.deviceID == named.deviceID && own.inode == named.inode
    }
}
