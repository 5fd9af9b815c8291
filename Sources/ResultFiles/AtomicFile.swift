import Glibc
package import SystemPackage

/// Writes files whole or not at all, and leaves no temporary file behind even if the process is killed.
///
/// Only regular files are replaced. A device, a pipe, a socket, and a link to one of these or to a descriptor of this
/// process such as `/dev/stdout`, are written to in place; see ``NamedStream``. On a file system without unnamed files,
/// a kill can leave a temporary file.
package enum AtomicFile {
    /// O_TMPFILE, which Swift does not import; it has the same value on all machines that Swift supports.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY
    /// How many names are tried for a temporary file.
    private static let mostNames = 100

    /// Writes a file, replacing an existing one.
    ///
    /// Until it is complete it has no name (see O_TMPFILE in open(2)), or a unique one. No other user can read a
    /// private file. Throws `Errno`.
    package static func write(
        _ bytes: some Sequence<UInt8>, to path: FilePath, isPrivate: Bool = false
    ) throws {
        try write(pieces: CollectionOfOne(bytes), to: path, isPrivate: isPrivate)
    }

    /// Writes a file from consecutive pieces, replacing an existing one; see ``write(_:to:)``.
    ///
    /// `last` runs when everything is written, before the file gets its name. If `last` throws, the file is discarded.
    static func write(
        pieces: some Sequence<some Sequence<UInt8>>, to path: FilePath, isPrivate: Bool = false,
        last: () throws -> Void = {}
    ) throws {
        if let stream = NamedStream(path) {
            try stream.write(pieces.joined())
            return try last()
        }
        guard let file = try openUnnamed(beside: path, isPrivate: isPrivate) else {
            return try writeNamed(pieces, to: path, isPrivate: isPrivate, last)
        }
        try file.closeAfter {
            for piece in pieces { _ = try file.writeAll(piece) }
            try last()
            guard !link(file, to: path) else { return }
            guard errno == EEXIST else { throw Errno(rawValue: errno) }
            try replace(path, by: linkBeside(file, path))
        }
    }

    /// Throws `Errno` if no file can be written to this path: it is a folder, or its folder is not writable.
    ///
    /// Changes nothing.
    package static func check(_ path: FilePath) throws {
        if let stream = NamedStream(path) { return try stream.check() }
        if (try? path.stat())?.type == .directory { throw Errno.isDirectory }
        if let file = try openUnnamed(beside: path) { return try file.close() }
        let (file, draft) = try openNamed(beside: path)
        unlink(draft.string)
        try file.close()
    }

    private static func folder(of path: FilePath) -> String {
        let folder = path.removingLastComponent()
        return folder.isEmpty ? "." : folder.string
    }

    /// Nil on a file system without unnamed files.
    private static func openUnnamed(beside path: FilePath, isPrivate: Bool = false) throws -> FileDescriptor? {
        let number = open(folder(of: path), O_WRONLY | unnamed | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
        if number >= 0 { return FileDescriptor(rawValue: number) }
        guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else { throw Errno(rawValue: errno) }
        return nil
    }

    private static func link(_ file: FileDescriptor, to path: FilePath) -> Bool {
        linkat(AT_FDCWD, "/proc/self/fd/\(file.rawValue)", AT_FDCWD, path.string, AT_SYMLINK_FOLLOW) == 0
    }

    /// Gives a file a temporary name beside a path that exists.
    private static func linkBeside(_ file: FileDescriptor, _ path: FilePath) throws -> FilePath {
        for _ in 0..<mostNames {
            let draft = draft(of: path)
            if link(file, to: draft) { return draft }
            guard errno == EEXIST else { throw Errno(rawValue: errno) }
        }
        throw Errno.fileExists
    }

    /// Writes the file under a temporary name, for a file system without unnamed files.
    private static func writeNamed(
        _ pieces: some Sequence<some Sequence<UInt8>>, to path: FilePath, isPrivate: Bool, _ last: () throws -> Void
    ) throws {
        let (file, draft) = try openNamed(beside: path, isPrivate: isPrivate)
        do {
            try file.closeAfter { for piece in pieces { _ = try file.writeAll(piece) } }
            try last()
        } catch {
            unlink(draft.string)
            throw error
        }
        try replace(path, by: draft)
    }

    /// Makes a file with a temporary name beside `path`; the caller renames or removes it.
    static func openNamed(
        beside path: FilePath, isPrivate: Bool = false
    ) throws -> (file: FileDescriptor, draft: FilePath) {
        for _ in 0..<mostNames {
            let draft = draft(of: path)
            do {
                let file = try FileDescriptor.open(
                    draft, .readWrite, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                    permissions: isPrivate ? .ownerReadWrite : [.ownerReadWrite, .groupRead, .otherRead])
                return (file, draft)
            } catch Errno.fileExists {
                continue
            }
        }
        throw Errno.fileExists
    }

    /// A random name with this process's number: `.report.html.4711-5f3a90c2`.
    private static func draft(of path: FilePath) -> FilePath {
        // Keeps the name within the file system's limit.
        let name = String(decoding: (path.lastComponent?.string ?? "").utf8.prefix(60), as: UTF8.self)
        let digits = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        return path.removingLastComponent().appending(".\(name).\(getpid())-\(digits)")
    }

    /// Replaces the file at `path` by `draft`; removes the draft if that fails.
    private static func replace(_ path: FilePath, by draft: FilePath) throws {
        guard rename(draft.string, path.string) != 0 else { return }
        let error = Errno(rawValue: errno)
        unlink(draft.string)
        throw error
    }
}
