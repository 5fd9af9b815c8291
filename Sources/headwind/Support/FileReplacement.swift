import FoundationEssentials
import PackFormat
import ResultFiles
import SystemPackage

/// Writes files as a whole or not at all.
enum FileReplacement {
    /// Throws ``CommandFailure`` if it is already clear that a file cannot be written.
    static func check(_ file: FilePath) throws(CommandFailure) {
        do { try AtomicFile.check(file) } catch { throw failure(file, error) }
    }

    /// Throws ``CommandFailure`` if the file of an option cannot be written; call it before the work begins.
    ///
    /// It leaves no file, but makes the file's folder if that is missing and `makesFolder` is true (default: false).
    static func check(_ path: FilePath, of option: String, makesFolder: Bool = false) throws(CommandFailure) {
        func failure(_ why: String, _ error: any Error) -> CommandFailure {
            CommandFailure(
                error.isNoSpace ? .infrastructure : error.systemErrno.map(ExitStatus.init(cannotWrite:)) ?? .usage,
                "Could not write '\(option) \(path)': \(why). Give a file in an existing, writable folder.")
        }
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

/// An empty or new folder for a command's output, so that no earlier file is lost.
struct NewFolder {
    let path: FilePath

    /// The named folder; if nil, the folder `usual`, or the first free one of `usual-2`, `usual-3` and so on.
    ///
    /// It makes no folder. Throws ``CommandFailure`` if the folder is not empty.
    init(_ named: FilePath?, usual: String) throws {
        let names = named.map { [$0] } ?? [FilePath(usual)] + (2...1000).map { FilePath("\(usual)-\($0)") }
        let free = names.map(\.absolute).first {
            !FileManager.default.fileExists(atPath: $0.string) || Self.isEmpty($0)
        }
        guard let free else {
            throw CommandFailure.usage(
                "Could not write to '\(names[0])': it is not empty. Choose a new folder with --output.")
        }
        path = free.lexicallyNormalized()
    }

    /// Makes the folder if it does not exist; throws ``CommandFailure``.
    func make() throws {
        do {
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(
                error.isNoSpace ? .infrastructure : .usage,
                "Could not create '\(path)': \(error.systemReason). Choose another folder with --output.")
        }
    }

    private static func isEmpty(_ folder: FilePath) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string))?.isEmpty == true
    }
}
