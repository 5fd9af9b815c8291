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
        let status = try? descriptor.stat()
        modified = HTTPDate(secondsSinceEpoch: Int64(status?.st_mtim.tv_sec ?? 0))
        let found = status?.type == .regular ? status?.size : nil
        guard found == pack.size else {
            close()
            let kind = found.map { "has \($0) bytes" } ?? "is not a regular file"
            throw PackFileError(pack.file, "\(kind), but the site lists a file of \(pack.size) bytes")
        }
    }

    /// Whether the file still has its size.
    ///
    /// For a shorter file, sendfile(2) would return 0 again and again.
    var isIntact: Bool {
        let found = try? handle.withUnsafeFileDescriptor {
            try SystemPackage.FileDescriptor(rawValue: $0).stat().size
        }
        return found == size
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
