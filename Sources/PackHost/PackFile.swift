import Glibc
import NIOCore
import PackFormat
import SystemPackage

/// The file of one pack, open for one response.
final class PackFile: Sendable {
    /// The descriptor as NIO wants it for sendfile(2).
    let handle: NIOFileHandle
    /// When the file was modified last.
    let modified: HTTPDate
    private let size: Int64

    /// Opens the file of `pack`; blocks as long as the file system does.
    ///
    /// Throws ``PackFileError`` where the file is not there, is no plain file, or has not the size that the site lists.
    /// A symbolic link at the end of the path is not followed; nothing that blocks, such as a FIFO, is waited for.
    init(_ pack: ServedPack) throws(PackFileError) {
        let options: SystemPackage.FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]
        let descriptor: SystemPackage.FileDescriptor
        do {
            descriptor = try .open(pack.file, .readOnly, options: options)
        } catch {
            throw PackFileError(pack.file, "could not be opened: \(error)")
        }
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor.rawValue)
        size = pack.size
        var status = stat()
        let found = fstat(descriptor.rawValue, &status) == 0
        modified = HTTPDate(secondsSinceEpoch: Int64(status.st_mtim.tv_sec))
        guard found, status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) == pack.size else {
            close()
            let kind =
                found && status.st_mode & S_IFMT == S_IFREG ? "has \(status.st_size) bytes" : "is not a regular file"
            throw PackFileError(pack.file, "\(kind), but the site lists a file of \(pack.size) bytes")
        }
    }

    /// Whether the file still has its size.
    ///
    /// A shorter one would make sendfile(2) return 0 for ever.
    var isIntact: Bool {
        var status = stat()
        let result = try? handle.withUnsafeFileDescriptor { fstat($0, &status) }
        return result == 0 && Int64(status.st_size) == size
    }

    /// Closes the file; not while it is being read.
    ///
    /// Closing it again does nothing.
    func close() {
        // close(2) fails after a write that was put off, which a file that is only read never saw.
        if handle.isOpen { try? handle.close() }
    }
}

/// Why a pack's file cannot be served.
struct PackFileError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ file: FilePath, _ reason: String) {
        description = "'\(file)' \(reason)"
    }
}
