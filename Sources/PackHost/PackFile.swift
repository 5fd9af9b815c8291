import Glibc
import NIOCore
import PackFormat
import SystemPackage

/// The file of one pack, open for one response.
final class PackFile: Sendable {
    /// The descriptor in the form that NIO needs for sendfile(2).
    let handle: NIOFileHandle
    /// The time of the file's last modification.
    let modified: HTTPDate
    private let size: Int64

    /// Opens the file of `pack`; blocks as long as the file system does.
    ///
    /// Throws ``PackFileError`` if the file is missing, is no regular file, or does not have the size that the site
    /// lists. A symbolic link at the end of the path is not followed. Nothing that blocks, such as a FIFO, is waited
    /// for.
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
    /// For a shorter file, sendfile(2) would return 0 again and again.
    var isIntact: Bool {
        var status = stat()
        let result = try? handle.withUnsafeFileDescriptor { fstat($0, &status) }
        return result == 0 && Int64(status.st_size) == size
    }

    /// Closes the file; must not be called while the file is being read.
    ///
    /// Closing it again does nothing.
    func close() {
        // close(2) fails only for delayed writes, and this file is only read.
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
