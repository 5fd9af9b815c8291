package import SystemPackage

/// Why a catalog cannot be used.
package enum CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The tag file could not be read, or is no JSON.
    case unreadable(FilePath, reason: String)
    /// The tag file has a key that means nothing.
    case unknownKey(FilePath, key: String, known: [String])
    /// A tag has a character that would make packs' names ambiguous, or is empty.
    case badTag(String, reason: String)
    /// A pattern finds no file.
    case emptyPattern(FilePath, tag: String, pattern: String)
    /// A pattern, or a file, leads out of the catalog.
    case outside(FilePath, path: String, reason: String)
    /// A list names a tag that no file has.
    case unknownTag(FilePath, list: String, tag: String, known: [String])
    /// There is nothing to build packs of.
    case noTags(FilePath)
    /// The bundle identifier is none.
    case badBundleID(String)

    package var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "Could not read the tag file '\(path)': \(reason)."
        case .unknownKey(let path, let key, let known):
            "The tag file '\(path)' has the key '\(key)', which means nothing. Known: \(known.joined(separator: ", "))."
        case .badTag(let tag, let reason):
            "The tag '\(tag)' cannot be used: \(reason). Choose another name."
        case .emptyPattern(let path, let tag, let pattern):
            "The tag file '\(path)' gives '\(tag)' to '\(pattern)', and no file is called so. Mend the pattern, or remove it."
        case .outside(let path, let name, let reason):
            "The catalog '\(path)' cannot hold '\(name)': \(reason)."
        case .unknownTag(let path, let list, let tag, let known):
            "The tag file '\(path)' names the tag '\(tag)' under '\(list)', and no file has it. "
                + "Tags: \(known.prefix(12).joined(separator: ", "))."
        case .noTags(let path):
            "The catalog '\(path)' has no file with a tag, so there is no pack to build. Put files into folders, one for "
                + "each tag, or write a tags.json."
        case .badBundleID(let text):
            "'\(text)' is no bundle identifier: letters, digits, hyphens and full stops, such as com.example.game."
        }
    }
}
