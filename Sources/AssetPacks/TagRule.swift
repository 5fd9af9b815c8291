import PackFormat
import SystemPackage

/// Which texts may be tags, bundle identifiers, and ways of files in a pack.
enum TagRule {
    /// Throws for a file that would take the place of what every pack has, or that readers pass over.
    static func check(path: String, in root: FilePath) throws(CatalogError) {
        let first = path.prefix { $0 != "/" }
        guard !PackArchive.reservedNames.contains(String(first)) else {
            throw .badFile(
                root, path: path,
                reason: "a pack has a '\(first)' of its own; move the file into a folder, or take its tags away")
        }
    }

    /// Throws for a tag that could be taken for two, or for a folder.
    static func check(_ tag: String) throws(CatalogError) {
        guard !tag.isEmpty else { throw .badTag(tag, reason: "it is empty") }
        guard tag.utf8.count <= 200 else { throw .badTag(tag, reason: "it is longer than 200 bytes") }
        for character in [":", "/", "+"] where tag.contains(character) {
            throw .badTag(tag, reason: "it has '\(character)', with which packs' names are made of tags")
        }
        guard tag.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), tag.first != " ", tag.last != " " else {
            throw .badTag(tag, reason: "it has a control character, or a space at an end")
        }
    }

    /// Throws for what is no bundle identifier, or leaves no room for tags in a pack's name.
    static func check(bundleID: String) throws(CatalogError) {
        let isGood = bundleID.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
        guard isGood, !bundleID.isEmpty, bundleID.utf8.count <= 155, !bundleID.hasPrefix("."), !bundleID.hasSuffix(".")
        else {
            throw .badBundleID(bundleID)
        }
    }
}
