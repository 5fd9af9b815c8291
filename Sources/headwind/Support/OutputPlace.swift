import FoundationEssentials
import Glibc
import PackFormat
import ResultFiles
import SystemPackage

/// A file that an option names, for something to be written to when all is done.
struct OutputPlace {
    let option: String
    let path: FilePath
    /// Whether its folder is made where it is missing.
    var makesFolder = false

    /// Sees before anything is done that it can be written to; leaves nothing but the folder that was to be made.
    ///
    /// Throws ``CommandFailure``.
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
            status: error.isNoSpace ? .infrastructure : error.systemErrno.map(ExitStatus.init(cannotWrite:)) ?? .usage,
            description: "Could not write '\(option) \(path)': \(why). "
                + "Give a file in an existing, writable folder.")
    }
}

/// Files that are there whole or not at all.
enum FileReplacement {
    /// Throws ``CommandFailure`` where a file can be told not to be writable before there is anything to write.
    static func check(_ file: FilePath) throws(CommandFailure) {
        do { try AtomicFile.check(file) } catch { throw failure(file, error) }
    }

    /// Writes `text` beside `file` and puts it in its place; a device, or a pipe, is written to as it is.
    ///
    /// Throws ``CommandFailure``.
    static func write(_ text: String, to file: FilePath) throws(CommandFailure) { try write(text.utf8, to: file) }

    /// The same for bytes.
    static func write(_ bytes: some Sequence<UInt8>, to file: FilePath) throws(CommandFailure) {
        do { try AtomicFile.write(bytes, to: file) } catch { throw failure(file, error) }
    }

    private static func failure(_ file: FilePath, _ error: any Error) -> CommandFailure {
        CommandFailure(
            status: (error as? Errno).map(ExitStatus.init(cannotWrite:)) ?? .failed,
            description: "Could not write '\(file)': \(error). Choose another file.")
    }
}

/// The file that tells other programs that a host is ready and where; it is there as long as the host is.
struct ReadyFile {
    let path: FilePath

    private struct Content: Encodable {
        let url: String
        let port: Int
        /// The file of the authority's certificate; absent without TLS.
        let ca: String?
    }

    /// Writes the file at once; throws ``CommandFailure``.
    func write(url: String, port: Int, authority: String?) throws {
        try FileReplacement.write(try Content(url: url, port: port, ca: authority).jsonText(), to: path)
    }

    /// Removes the file, if it is there.
    func remove() { unlink(path.string) }
}
