import Glibc
package import SystemPackage

/// Files that are there whole or not at all, and of which nothing else is left, also where this process is killed.
package enum WholeFile {
    /// O_TMPFILE, which Swift does not see: the same number on all of its machines.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    /// Writes a file, in the place of one that is there.
    ///
    /// Until it is whole it has no name; see O_TMPFILE in open(2). Throws `Errno`.
    package static func write(_ bytes: some Sequence<UInt8>, to path: FilePath) throws {
        let draft = FilePath(path.string + ".new")
        let number = open(path.removingLastComponent().string, O_WRONLY | unnamed | O_CLOEXEC, 0o644)
        guard number >= 0 else {
            guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else { throw Errno(rawValue: errno) }
            return try writeNamed(bytes, by: draft, to: path)
        }
        let file = FileDescriptor(rawValue: number)
        try file.closeAfter {
            _ = try file.writeAll(bytes)
            guard !link(file, to: path) else { return }
            guard errno == EEXIST else { throw Errno(rawValue: errno) }
            // Left by one that was killed just between the two calls below.
            unlink(draft.string)
            guard link(file, to: draft) else { throw Errno(rawValue: errno) }
            guard rename(draft.string, path.string) == 0 else {
                let error = Errno(rawValue: errno)
                unlink(draft.string)
                throw error
            }
        }
    }

    private static func link(_ file: FileDescriptor, to path: FilePath) -> Bool {
        linkat(AT_FDCWD, "/proc/self/fd/\(file.rawValue)", AT_FDCWD, path.string, AT_SYMLINK_FOLLOW) == 0
    }

    /// On a file system that has no files without a name.
    private static func writeNamed(_ bytes: some Sequence<UInt8>, by draft: FilePath, to path: FilePath) throws {
        do {
            let file = try FileDescriptor.open(
                draft, .writeOnly, options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try file.closeAfter { _ = try file.writeAll(bytes) }
            guard rename(draft.string, path.string) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            unlink(draft.string)
            throw error
        }
    }
}
