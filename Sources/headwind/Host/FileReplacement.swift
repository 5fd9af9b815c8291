import Glibc
import SystemPackage

/// Files that are there whole or not at all.
enum FileReplacement {
    /// Throws ``CommandFailure`` where a file can be told not to be writable before there is anything to write.
    static func check(_ file: FilePath) throws(CommandFailure) {
        let parent = file.removingLastComponent()
        var status = stat()
        let isFolder = stat(file.string, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        guard isFolder || access(parent.isEmpty ? "." : parent.string, W_OK | X_OK) != 0 else { return }
        let error: Errno = isFolder ? .isDirectory : Errno(rawValue: errno)
        throw CommandFailure(
            status: ExitStatus(cannotWrite: error),
            description: "Could not write '\(file)': \(error). Choose another place for it.")
    }

    /// Writes `text` beside `file` and puts it in its place; see rename(2).
    ///
    /// Throws ``CommandFailure``.
    static func write(_ text: String, to file: FilePath) throws(CommandFailure) {
        let draft = FilePath(file.string + ".\(getpid()).tmp")
        do {
            let descriptor = try FileDescriptor.open(
                draft, .writeOnly, options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try descriptor.closeAfter { _ = try descriptor.writeAll(text.utf8) }
            guard rename(draft.string, file.string) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            unlink(draft.string)
            throw CommandFailure(
                status: (error as? Errno).map(ExitStatus.init(cannotWrite:)) ?? .failed,
                description: "Could not write '\(file)': \(error). Choose another place for it.")
        }
    }
}
