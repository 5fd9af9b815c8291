import FoundationEssentials
import PackFormat
import Reports
import SystemPackage

/// The folder that `headwind host` is told to serve.
struct ServedFolder {
    let path: FilePath
    /// Whether every file in it is a pack of its own.
    let isOfFiles: Bool

    /// What the folder offers; throws ``CommandFailure`` with what to do where it cannot be served.
    func site() throws -> Site {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder) else {
            throw failure("Could not serve '\(path)': there is no such folder.")
        }
        guard isFolder else {
            throw failure("Could not serve '\(path)': it is a file. Name the folder that it is in, and add --packs.")
        }
        let manifest = path.appending(Site.manifestName)
        guard isOfFiles || FileManager.default.fileExists(atPath: manifest.string) else {
            throw failure(
                "Could not serve '\(path)': it has no \(Site.manifestName). Add --packs to serve its files as they are, or "
                    + "build packs of them: headwind pack build \(path.string.shellQuoted) --by-folder --output packs")
        }
        do {
            return isOfFiles ? try Site.files(directory: path) : try Site.load(directory: path)
        } catch {
            throw failure("\(error)")
        }
    }

    private func failure(_ description: String) -> CommandFailure {
        CommandFailure(status: .invalidInput, description: description)
    }
}
