import PackFormat
package import SystemPackage

/// Why a catalog cannot be used.
package enum CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The tag file, or `what` else it is, could not be read.
    case notRead(FilePath, what: String = "the tag file", reason: String)
    /// The tag file, or the manifest of a pack, is wrong at a line and a column, both from 1.
    case wrongTagFile(FilePath, line: Int, column: Int, reason: String)
    /// A tag has a character that would make packs' names ambiguous, is empty, or cannot be told from another.
    case badTag(String, reason: String)
    /// A file cannot be in a catalog, or in a pack.
    case badFile(FilePath, path: String, reason: String)
    /// There is nothing to build packs of.
    case noTags(FilePath)
    /// The bundle identifier is none.
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
