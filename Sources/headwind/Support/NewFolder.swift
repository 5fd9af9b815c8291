import FoundationEssentials
import PackFormat
import SystemPackage

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
            throw CommandFailure(
                .usage, "Could not write to '\(names[0])': it is not empty. Choose a new folder with --output.")
        }
        path = free.lexicallyNormalized()
    }

    /// Makes the folder if it does not exist; throws ``CommandFailure``.
    func make() throws { try make(path) }

    /// Makes a folder inside it, or the folder itself; throws ``CommandFailure``.
    func make(_ folder: FilePath) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(
                error.isNoSpace ? .infrastructure : .usage,
                "Could not create '\(folder)': \(error.systemReason). Choose another folder with --output.")
        }
    }

    private static func isEmpty(_ folder: FilePath) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string))?.isEmpty == true
    }
}
