import Documents
import FoundationEssentials
import Glibc
import PackFormat
import ResultFiles
import SystemPackage

/// A file that an option names, to be written at the end of a command.
struct OutputPlace {
    let option: String
    let path: FilePath
    /// Whether to make its folder if it is missing; false by default.
    var makesFolder = false

    /// Throws ``CommandFailure`` if the file cannot be written; call it before the work begins.
    ///
    /// It leaves no file, but may make the folder.
    func check() throws(CommandFailure) {
        let folder = path.removingLastComponent()
        do {
            if makesFolder, !folder.isEmpty {
                try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            }
        } catch {
            throw failure("could not create its folder: \(error.systemReason)", error)
        }
        do {
            try AtomicFile.check(path)
        } catch Errno.isDirectory {
            throw failure("it is a folder", Errno.isDirectory)
        } catch Errno.noSuchFileOrDirectory {
            throw failure("the folder '\(folder)' does not exist or cannot hold files", Errno.noSuchFileOrDirectory)
        } catch {
            throw failure(error.systemReason, error)
        }
    }

    private func failure(_ why: String, _ error: any Error) -> CommandFailure {
        CommandFailure(
            error.isNoSpace ? .infrastructure : error.systemErrno.map(ExitStatus.init(cannotWrite:)) ?? .usage,
            "Could not write '\(option) \(path)': \(why). Give a file in an existing, writable folder.")
    }
}

/// Writes files as a whole or not at all.
enum FileReplacement {
    /// Throws ``CommandFailure`` if it is already clear that a file cannot be written.
    static func check(_ file: FilePath) throws(CommandFailure) {
        do { try AtomicFile.check(file) } catch { throw failure(file, error) }
    }

    /// Writes `text` to a new file, which then replaces `file`; writes directly to a device or a pipe.
    ///
    /// Throws ``CommandFailure``.
    static func write(_ text: String, to file: FilePath) throws(CommandFailure) { try write(text.utf8, to: file) }

    /// Writes bytes in the same way; `instead` is what the user may choose if that fails.
    static func write(
        _ bytes: some Sequence<UInt8>, to file: FilePath, instead: String = "another file"
    ) throws(CommandFailure) {
        do { try AtomicFile.write(bytes, to: file) } catch { throw failure(file, error, instead) }
    }

    /// The failure to write a file; `instead` is what the user may choose.
    static func failure(_ file: FilePath, _ error: any Error, _ instead: String = "another file") -> CommandFailure {
        CommandFailure(
            (error as? Errno).map(ExitStatus.init(cannotWrite:)) ?? .failed,
            "Could not write '\(file)': \(error). Choose \(instead).")
    }
}

/// A file with the address of a host, which exists while the host is ready, for other programs.
struct ReadyFile {
    let path: FilePath

    /// Writes the file at once; `authority` is the file of the authority's certificate, nil without TLS.
    ///
    /// Throws ``CommandFailure``.
    func write(url: String, port: Int, authority: String?) throws {
        let content = JSONTree.object([
            "url": .text(url), "port": .whole(port), "ca": authority.map(JSONTree.text),
        ])
        try FileReplacement.write(try content.jsonText(), to: path)
    }

    /// Removes the file, if it exists.
    func remove() { unlink(path.string) }
}
