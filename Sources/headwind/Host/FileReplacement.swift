import Glibc
import SystemPackage

/// Files that are there whole or not at all.
enum FileReplacement {
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
