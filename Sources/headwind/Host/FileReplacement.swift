import Harness
import SystemPackage

/// Files that are there whole or not at all.
enum FileReplacement {
    /// Throws ``CommandFailure`` where a file can be told not to be writable before there is anything to write.
    static func check(_ file: FilePath) throws(CommandFailure) {
        do { try AtomicFile.check(file) } catch { throw failure(file, error) }
    }

    /// Writes `text` beside `file` and puts it in its place; a device, or a pipe, is written to as it is.
    ///
    /// Throws ``CommandFailure``.
    static func write(_ text: String, to file: FilePath) throws(CommandFailure) {
        do { try AtomicFile.write(text.utf8, to: file) } catch { throw failure(file, error) }
    }

    private static func failure(_ file: FilePath, _ error: any Error) -> CommandFailure {
        CommandFailure(
            status: (error as? Errno).map(ExitStatus.init(cannotWrite:)) ?? .failed,
            description: "Could not write '\(file)': \(error). Choose another place for it.")
    }
}
