import CLinux
import Glibc
import PackFormat
import SystemPackage

extension FileSystem {
    /// Reads a whole small file; nil if it does not exist, cannot be read, or is larger than `limit` bytes.
    static func contents(of path: FilePath, limit: Int) -> [UInt8]? {
        // Links, and files that block, are never the store's. The size is that of the open file, not of the path.
        guard
            let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else { return nil }
        return try? file.closeAfter {
            guard let size = regularSize(of: file), size <= limit else { return nil }
            var bytes = [UInt8](repeating: 0, count: Int(size))
            var count = 0
            while count < bytes.count {
                let read = try unsafe bytes.withUnsafeMutableBytes { buffer in
                    try unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                }
                if read == 0 { break }
                count += read
            }
            return Array(bytes[..<count])
        }
    }

    /// Replaces a small file's content in one step: if this process is killed, the old or the new content is there.
    ///
    /// A power cut may damage the file: these files are hints, and their readers check them. A folder at the file's
    /// path counts as damage too, and is removed with all its content.
    static func replaceContents(of path: FilePath, with bytes: [UInt8]) throws(StoreError) {
        let temporary = unfinished(path)
        for place in [temporary, path] where status(of: place)?.type == .directory { try remove(place) }
        var isDone = false
        defer { if !isDone { try? remove(temporary) } }
        do {
            let file = try FileDescriptor.open(
                temporary,
                .writeOnly,
                options: [.create, .truncate, .closeOnExec, .noFollow],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
            try file.closeAfter { _ = try file.writeAll(bytes) }
        } catch {
            throw StoreError("write", path, error as? Errno)
        }
        try rename(temporary, to: path)
        isDone = true
    }

    /// The name of a small file while it is written; a process that is killed may leave such a file.
    static func unfinished(_ path: FilePath) -> FilePath { FilePath("\(path).new") }

    /// Flushes a file, or a folder's list of names, to the disk.
    ///
    /// The corresponding C function is `fsync`.
    static func synchronise(_ path: FilePath) throws(StoreError) {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            try file.closeAfter {
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: Glibc.errno) }
            }
        } catch {
            throw StoreError("flush to the disk", path, error as? Errno)
        }
    }

    /// Folders with more files than this are flushed in one call: flushing 20,000 files one by one took minutes.
    private static let manyFiles = 100

    /// Flushes a folder and all its content to the disk.
    static func synchroniseTree(_ path: FilePath) throws(StoreError) {
        var left = manyFiles
        if try hasMore(than: &left, in: path) {
            try synchroniseFileSystem(of: path)
        } else {
            try synchroniseEach(path)
        }
    }

    private static func hasMore(than left: inout Int, in folder: FilePath) throws(StoreError) -> Bool {
        for name in try entries(of: folder) {
            left -= 1
            if left < 0 { return true }
            let path = folder.appending(name)
            if status(of: path)?.type == .directory, try hasMore(than: &left, in: path) { return true }
        }
        return false
    }

    /// Flushes a folder's content before the folder itself.
    private static func synchroniseEach(_ path: FilePath) throws(StoreError) {
        guard let status = status(of: path), [.directory, .regular].contains(status.type) else { return }
        if status.type == .directory {
            for name in try entries(of: path) { try synchroniseEach(path.appending(name)) }
        }
        try synchronise(path)
    }

    /// Flushes everything on a folder's file system to the disk.
    ///
    /// The corresponding C function is `syncfs`, which reports write errors from Linux 5.8 on.
    private static func synchroniseFileSystem(of path: FilePath) throws(StoreError) {
        do {
            let folder = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            try folder.closeAfter {
                guard headwind_synchronise_file_system(folder.rawValue) == 0 else { throw Errno(rawValue: Glibc.errno) }
            }
        } catch {
            throw StoreError("flush to the disk", path, error as? Errno)
        }
    }
}

extension FileSystem {
    /// The SHA-256 of a file in lower-case hex; the file is read piece by piece.
    static func sha256(of path: FilePath) throws(StoreError) -> String {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            return try file.closeAfter { try Digest.sha256Hex(of: file, most: .max) }
        } catch {
            throw StoreError("read", path, error as? Errno)
        }
    }
}
