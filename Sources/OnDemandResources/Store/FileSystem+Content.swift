import Glibc
import SystemPackage

extension FileSystem {
    /// Reads a small file whole; nil where it does not exist, cannot be read, or is larger than `limit` bytes.
    static func contents(of path: FilePath, limit: Int) -> [UInt8]? {
        guard let status = status(of: path), status.isRegular, status.size <= limit,
            let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        else { return nil }
        return try? file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: Int(status.size))
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

    /// Writes a small file so that its old or its new content is there whenever this process is killed.
    ///
    /// What a power cut leaves may be damaged: these files are advice, and readers check them.
    static func replaceContents(of path: FilePath, with bytes: [UInt8]) throws(StoreError) {
        let temporary = unfinished(path)
        var isDone = false
        defer { if !isDone { try? remove(temporary) } }
        do {
            let file = try FileDescriptor.open(
                temporary,
                .writeOnly,
                options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
            try file.closeAfter { _ = try file.writeAll(bytes) }
        } catch {
            throw StoreError("write", path, error as? Errno)
        }
        try rename(temporary, to: path)
        isDone = true
    }

    /// What a small file is called while it is written; a process that is killed may leave it.
    static func unfinished(_ path: FilePath) -> FilePath { FilePath("\(path).new") }

    /// Brings a file or a folder's list of names to the disk.
    ///
    /// The corresponding C function is `fsync`.
    static func synchronise(_ path: FilePath) throws(StoreError) {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            try file.closeAfter {
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: Glibc.errno) }
            }
        } catch {
            throw StoreError("bring to the disk", path, error as? Errno)
        }
    }

    /// Brings a folder with all that is in it to the disk, innermost first.
    static func synchroniseTree(_ path: FilePath) throws(StoreError) {
        guard let status = status(of: path), status.isFolder || status.isRegular else { return }
        if status.isFolder {
            for name in try entries(of: path) { try synchroniseTree(path.appending(name)) }
        }
        try synchronise(path)
    }
}
