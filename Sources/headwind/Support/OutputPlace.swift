import FoundationEssentials
import Harness
import PackFormat
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
            throw failure("its folder cannot be made: \(error.systemReason)", error)
        }
        do {
            try AtomicFile.check(path)
        } catch Errno.isDirectory {
            throw failure("it is a folder", Errno.isDirectory)
        } catch Errno.noSuchFileOrDirectory {
            throw failure("there is no folder '\(folder)', or none that takes files", Errno.noSuchFileOrDirectory)
        } catch {
            throw failure(error.systemReason, error)
        }
    }

    private func failure(_ why: String, _ error: any Error) -> CommandFailure {
        CommandFailure(
            status: error.isNoSpace ? .infrastructure : error.systemErrno.map(ExitStatus.init(cannotWrite:)) ?? .usage,
            description: "Could not write '\(option) \(path)': \(why). "
                + "Name a file in a folder that is there and may be written to.")
    }
}
