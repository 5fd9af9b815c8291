import FoundationEssentials
import PackFormat
import SystemPackage

/// A folder that a command fills, and in which there was nothing before: nothing of an earlier one is lost.
struct NewFolder {
    let path: FilePath

    /// The folder that is named; where none is, the one that is called `usual`, or the first such name with a number that is
    /// free.
    ///
    /// Makes nothing. Throws ``CommandFailure`` where there is something in it.
    init(_ named: FilePath?, usual: String) throws {
        let names = named.map { [$0] } ?? [FilePath(usual)] + (2...1000).map { FilePath("\(usual)-\($0)") }
        let here = FilePath(FileManager.default.currentDirectoryPath)
        let free = names.map(here.pushing).first {
            !FileManager.default.fileExists(atPath: $0.string) || Self.isEmpty($0)
        }
        guard let free else {
            throw CommandFailure(
                status: .usage,
                description:
                    "Could not write to '\(names[0])': it is not empty. Choose a new folder with --output.")
        }
        path = free.lexicallyNormalized()
    }

    /// Makes the folder where it is not there; throws ``CommandFailure``.
    func make() throws { try make(path) }

    /// Makes a folder in it, or itself.
    func make(_ folder: FilePath) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(
                status: error.isNoSpace ? .infrastructure : .usage,
                description: "Could not create '\(folder)': \(error.systemReason). Choose another folder with --output."
            )
        }
    }

    private static func isEmpty(_ folder: FilePath) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string))?.isEmpty == true
    }
}
