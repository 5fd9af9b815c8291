import CLinux
import FoundationEssentials
import Glibc
import LinuxSupport
import PackFormat
import SystemPackage

/// The calls on folders and whole files that the store needs; those that can fail throw `StoreError`.
enum FileSystem {
    private static func check(_ result: CInt, _ operation: String, _ path: FilePath) throws(StoreError) {
        guard result == 0 else { throw StoreError(operation, path, Errno(rawValue: Glibc.errno)) }
    }

    /// Creates a folder and its missing parents.
    ///
    /// It is no error if the folder exists.
    static func makeFolder(_ path: FilePath) throws(StoreError) {
        if unsafe path.withPlatformString({ unsafe mkdir($0, 0o755) }) == 0 { return }
        let code = Errno(rawValue: Glibc.errno)
        switch code {
        case .fileExists where leadsToFolder(path): return
        case .noSuchFileOrDirectory where !path.removingLastComponent().isEmpty:
            try makeFolder(path.removingLastComponent())
            let result = unsafe path.withPlatformString { unsafe mkdir($0, 0o755) }
            // Another process may have created it first.
            if result != 0, Errno(rawValue: Glibc.errno) == .fileExists, leadsToFolder(path) { return }
            try check(result, "make the folder", path)
        default: throw StoreError("make the folder", path, code)
        }
    }

    /// Whether the path is a folder, or a link to one.
    private static func leadsToFolder(_ path: FilePath) -> Bool {
        (try? path.stat())?.type == .directory
    }

    /// Opens a file for reading and writing, and creates it if there is none.
    static func openOrCreate(_ path: FilePath) throws(StoreError) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                path, .readWrite, options: [.create, .closeOnExec, .noFollow],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw StoreError("open", path, error as? Errno)
        }
    }

    /// Renames a file or folder; it replaces an existing file, or an empty folder if the source is a folder.
    ///
    /// The corresponding C function is `rename`.
    static func rename(_ source: FilePath, to target: FilePath) throws(StoreError) {
        let result = unsafe source.withPlatformString { from in
            unsafe target.withPlatformString { unsafe Glibc.rename(from, $0) }
        }
        try check(result, "rename '\(source)' to", target)
    }

    /// Gives a file a second name (a hard link).
    ///
    /// The corresponding C function is `link`.
    static func link(_ file: FilePath, to second: FilePath) throws(StoreError) {
        let result = unsafe file.withPlatformString { from in
            unsafe second.withPlatformString { unsafe Glibc.link(from, $0) }
        }
        try check(result, "link '\(file)' to", second)
    }

    /// Bytes that are free for this user on a folder's file system; `Int64.max` if the system does not say.
    static func available(at path: FilePath) -> Int64 {
        var status = statvfs()
        guard unsafe path.withPlatformString({ unsafe statvfs($0, &status) }) == 0 else { return .max }
        return Int64(clamping: UInt128(status.f_bavail) * UInt128(status.f_frsize))
    }

    /// Removes a file, or a folder with all its content.
    ///
    /// It is no error if nothing is there. Links are removed, not followed.
    static func remove(_ path: FilePath) throws(StoreError) {
        guard let status = status(of: path) else { return }
        if status.type == .directory {
            for name in try entries(of: path) { try remove(path.appending(name)) }
            try check(unsafe path.withPlatformString { unsafe rmdir($0) }, "remove the folder", path)
        } else {
            try check(unsafe path.withPlatformString { unsafe unlink($0) }, "remove", path)
        }
    }

    /// The status of what is at a path, without following a link; nil if nothing can be seen there.
    static func status(of path: FilePath) -> Stat? { try? path.stat(followTargetSymlink: false) }

    /// The names in a folder, in the order of their bytes, without `.` and `..`.
    ///
    /// Throws for a link instead of a folder, unless `followsLink` is set: its target is not the store's to clear.
    static func entries(of path: FilePath, followsLink: Bool = false) throws(StoreError) -> [FilePath.Component] {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
        let descriptor = unsafe path.withPlatformString { unsafe open($0, flags) }
        guard descriptor >= 0, let folder = unsafe fdopendir(descriptor) else {
            let code = Errno(rawValue: Glibc.errno)
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw StoreError("list the folder", path, code)
        }
        defer { unsafe closedir(folder) }
        var names: [FilePath.Component] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe FilePath.Component(platformString: $0)
                }
            }
            if let name, name.kind == .regular { names.append(name) }
        }
        return names.sorted { $0.string < $1.string }
    }

    /// The total size in bytes of all regular files in a folder and below, or of one file; 0 if nothing is there.
    static func totalSize(of path: FilePath) throws(StoreError) -> Int64 {
        guard let status = status(of: path) else { return 0 }
        guard status.type == .directory else { return status.type == .regular ? status.size : 0 }
        var total: Int64 = 0
        for name in try entries(of: path) { total += try totalSize(of: path.appending(name)) }
        return total
    }

    /// Reads a whole small file; nil if it does not exist, cannot be read, or is larger than `limit` bytes.
    static func contents(of path: FilePath, limit: Int) -> [UInt8]? {
        // Links, and files that block, are never the store's.
        guard let bytes = try? BoundedFile.read(path, most: limit, followsLink: false) else { return nil }
        return bytes.count <= limit ? bytes : nil
    }

    /// Reads a note in JSON; nil if it does not exist, cannot be read, or is larger than `limit` bytes.
    static func note<Note: Decodable>(at path: FilePath, limit: Int) -> Note? {
        contents(of: path, limit: limit).flatMap { try? JSONDecoder().decode(Note.self, from: Data($0)) }
    }

    /// A note of texts and numbers in JSON.
    static func json(_ note: some Encodable, _ formatting: JSONEncoder.OutputFormatting = []) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        guard let bytes = try? encoder.encode(note) else {
            preconditionFailure("a note of texts and numbers can always be encoded")
        }
        return Array(bytes)
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
    static func synchronise(_ path: FilePath) throws(StoreError) { try flush(path, by: fsync) }

    /// Flushes what is at a path by a call that takes its descriptor and returns 0 if it succeeds.
    private static func flush(_ path: FilePath, by call: (CInt) -> CInt) throws(StoreError) {
        try opening(path, to: "flush to the disk") { file in
            guard call(file.rawValue) == 0 else { throw Errno(rawValue: Glibc.errno) }
        }
    }

    /// Opens a file or a folder for reading while `body` runs; `operation` names the attempt in errors.
    private static func opening<Result>(
        _ path: FilePath, to operation: String, _ body: (FileDescriptor) throws -> Result
    ) throws(StoreError) -> Result {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            return try file.closeAfter { try body(file) }
        } catch {
            throw StoreError(operation, path, error as? Errno)
        }
    }

    /// Folders with more files than this are flushed in one call: flushing 20,000 files one by one took minutes.
    private static let manyFiles = 100

    /// Flushes a folder and all its content to the disk.
    static func synchroniseTree(_ path: FilePath) throws(StoreError) {
        var left = manyFiles
        if try hasMore(than: &left, in: path) {
            // The corresponding C function is `syncfs`, which reports write errors from Linux 5.8 on.
            try flush(path, by: headwind_synchronise_file_system)
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

    /// The SHA-256 of a file in lower-case hex; the file is read piece by piece.
    ///
    /// Within a task that is cancelled it throws: call it by ``BlockingWork``, whose threads have no task.
    static func sha256(of path: FilePath) throws(StoreError) -> String {
        try opening(path, to: "read") { file in try Digest.sha256Hex(of: file, most: .max) }
    }
}

extension Stat {
    /// What identifies the file, whatever its names are: its file system, and its number (inode) in that.
    var identity: [UInt64] { [UInt64(deviceID.rawValue), UInt64(inode.rawValue)] }
}
