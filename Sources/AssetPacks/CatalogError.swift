import PackFormat
package import SystemPackage

/// Why a catalog cannot be used.
package enum CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, a `what`, could not be read; by default it is the tag file.
    case notRead(FilePath, what: String = "the tag file", reason: String)
    /// The tag file, or the manifest of a pack, has a mistake at a line and a column, both from 1.
    case wrongTagFile(FilePath, line: Int, column: Int, reason: String)
    /// A tag has a character that would make packs' names ambiguous, is empty, or is too similar to another one.
    case badTag(String, reason: String)
    /// A file cannot be in a catalog, or in a pack.
    case badFile(FilePath, path: String, reason: String)
    /// There are no tagged files to build packs from.
    case noTags(FilePath)
    /// The bundle identifier is invalid.
    case badBundleID(String)

    package var description: String {
        switch self {
        case .notRead(let path, let what, let reason):
            "Could not read \(what) '\(path)': \(reason)."
        case .wrongTagFile(let path, let line, let column, let reason):
            "\(path):\(line):\(column): \(reason)\(reason.hasSuffix("?") ? "" : ".")"
        case .badTag(let tag, let reason):
            "The tag '\(NameText.visible(tag))' cannot be used: \(reason). Choose another name."
        case .badFile(let root, let path, let reason):
            "The catalog '\(root)' cannot hold '\(NameText.visible(path))': \(reason)."
        case .noTags(let path):
            "The catalog '\(path)' has no file with a tag, so there is no pack to build. Put files into folders, one "
                + "for each tag, or write a tags.json."
        case .badBundleID(let text):
            "'\(text)' is not a bundle identifier. Use letters, digits, hyphens and full stops, as in com.example.game."
        }
    }
}
