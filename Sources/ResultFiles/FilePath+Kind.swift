import FoundationEssentials
package import SystemPackage

extension FilePath {
    /// The type of the file at the path, without following a link; nil if there is none.
    package var fileType: FileType? { (try? stat(followTargetSymlink: false))?.type }

    /// Whether there is a folder at the path, and not a link to one.
    package var isFolder: Bool { fileType == .directory }

    /// Makes the folder that the path is in, and those above it, if they do not exist.
    func makeParent() throws {
        try FileManager.default.createDirectory(
            atPath: removingLastComponent().string, withIntermediateDirectories: true)
    }

    /// The names in the folder at the path, in any order; empty if they cannot be read.
    var namesInFolder: [String] { (try? FileManager.default.contentsOfDirectory(atPath: string)) ?? [] }
}
