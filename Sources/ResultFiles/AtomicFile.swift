import Glibc
package import SystemPackage

/// Files that are there whole or not at all, and of which nothing else is left, also where this process is killed.
///
/// Only a file is ever replaced. A device, a pipe, a socket, and a link to one of these or to a descriptor of this process
/// such as `/dev/stdout` are written to as they are; see ``NamedStream``.
package enum AtomicFile {
    /// O_TMPFILE, which Swift does not see: the same number on all of its machines.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY
    /// How many names are tried for a file beside another.
    private static let mostNames = 100

    /// Writes a file, in the place of one that is there.
    ///
    /// Until it is whole it has no name (see O_TMPFILE in open(2)), or one that no other file has. Throws `Errno`.
    package static func write(_ bytes: some Sequence<UInt8>, to path: FilePath) throws {
        try write(pieces: CollectionOfOne(bytes), to: path)
    }

    /// Writes a file of pieces that follow each other, in the place of one that is there; see ``write(_:to:)``.
    ///
    /// `last` is done when all is written, before the file takes its place; where it throws, the file does not.
    static func write(
        pieces: some Sequence<some Sequence<UInt8>>, to path: FilePath, last: () throws -> Void = {}
    ) throws {
        if let stream = NamedStream(path) {
            try stream.write(pieces.joined())
            return try last()
        }
        guard let file = try openUnnamed(beside: path) else { return try writeNamed(pieces, to: path, last) }
        try file.closeAfter {
            for piece in pieces { _ = try file.writeAll(piece) }
            try last()
            guard !link(file, to: path) else { return }
            guard errno == EEXIST else { throw Errno(rawValue: errno) }
            try replace(path, by: linkBeside(file, path))
        }
    }

    /// Throws `Errno` where a file cannot be written to this path: it is a folder, or nothing can be made beside it.
    ///
    /// Leaves everything as it is.
    package static func check(_ path: FilePath) throws {
        if let stream = NamedStream(path) { return try stream.check() }
        var status = stat()
        if stat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw Errno.isDirectory }
        if let file = try openUnnamed(beside: path) { return try file.close() }
        let (file, draft) = try openNamed(beside: path)
        unlink(draft.string)
        try file.close()
    }

    private static func folder(of path: FilePath) -> String {
        let folder = path.removingLastComponent()
        return folder.isEmpty ? "." : folder.string
    }

    /// Nil on a file system that has no files without a name.
    private static func openUnnamed(beside path: FilePath) throws -> FileDescriptor? {
        let number = open(folder(of: path), O_WRONLY | unnamed | O_CLOEXEC, 0o644)
        if number >= 0 { return FileDescriptor(rawValue: number) }
        guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else { throw Errno(rawValue: errno) }
        return nil
    }

    private static func link(_ file: FileDescriptor, to path: FilePath) -> Bool {
        linkat(AT_FDCWD, "/proc/self/fd/\(file.rawValue)", AT_FDCWD, path.string, AT_SYMLINK_FOLLOW) == 0
    }

    /// Gives a file a name beside a path that is taken.
    private static func linkBeside(_ file: FileDescriptor, _ path: FilePath) throws -> FilePath {
        for _ in 0..<mostNames {
            let draft = draft(of: path)
            if link(file, to: draft) { return draft }
            guard errno == EEXIST else { throw Errno(rawValue: errno) }
        }
        throw Errno.fileExists
    }

    /// On a file system that has no files without a name.
    private static func writeNamed(
        _ pieces: some Sequence<some Sequence<UInt8>>, to path: FilePath, _ last: () throws -> Void
    ) throws {
        let (file, draft) = try openNamed(beside: path)
        do {
            try file.closeAfter { for piece in pieces { _ = try file.writeAll(piece) } }
            try last()
        } catch {
            unlink(draft.string)
            throw error
        }
        try replace(path, by: draft)
    }

    /// Makes a file beside another, to be renamed or removed by the caller.
    static func openNamed(beside path: FilePath) throws -> (file: FileDescriptor, draft: FilePath) {
        for _ in 0..<mostNames {
            let draft = draft(of: path)
            do {
                let file = try FileDescriptor.open(
                    draft, .readWrite, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                    permissions: [.ownerReadWrite, .groupRead, .otherRead])
                return (file, draft)
            } catch Errno.fileExists {
                continue
            }
        }
        throw Errno.fileExists
    }

    /// A name that no other process gives: `.report.html.4711-5f3a90c2`.
    private static func draft(of path: FilePath) -> FilePath {
        // So that it is no longer than a name may be.
        let name = String(decoding: (path.lastComponent?.string ?? "").utf8.prefix(60), as: UTF8.self)
        let digits = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        return path.removingLastComponent().appending(".\(name).\(getpid())-\(digits)")
    }

    /// Has a file take the place of another; where it cannot, it is removed.
    private static func replace(_ path: FilePath, by draft: FilePath) throws {
        guard rename(draft.string, path.string) != 0 else { return }
        let error = Errno(rawValue: errno)
        unlink(draft.string)
        throw error
    }
}
