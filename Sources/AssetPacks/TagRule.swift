import PackFormat
import SystemPackage

/// The rules for tags, bundle identifiers, and paths of files in a pack.
enum TagRule {
    /// Throws for a file that readers would not unpack, that has a name which packs reserve, or that conflicts with
    /// another file of the same pack.
    static func check(filesOf catalog: Catalog) throws(CatalogError) {
        var packs: [Set<String>: PackPaths] = [:]
        for resource in catalog.resources where !resource.tags.isEmpty {
            let first = PackPath.firstPart(resource.path)
            guard !PackArchive.reservedNames.contains(first) else {
                throw .badFile(
                    catalog.root, path: resource.path,
                    reason: "packs reserve the name '\(first)'; move the file into a folder, or remove its tags")
            }
            do {
                try packs[resource.tags, default: PackPaths()].enter(resource.path, as: .file)
            } catch {
                throw .badFile(
                    catalog.root, path: error.path, reason: "\(error.reason); rename it, or remove its tags")
            }
        }
    }

    /// Throws for an invalid tag, and for two tags that differ only by Unicode normalisation.
    static func check(tagsOf resources: [Catalog.Resource]) throws(CatalogError) {
        var names = NameLedger()
        // A set of texts takes two such tags for one, so each file's tags are checked.
        for tag in resources.flatMap({ $0.tags.sorted() }) {
            switch names.enter(tag) {
            case .again: continue
            case .new: try check(tag)
            case .twin(let twin): throw .badTag(tag, reason: NameLedger.reason(tag, twin))
            }
        }
    }

    /// Throws for a tag that is empty or too long, or that could be read as two tags or as a folder.
    static func check(_ tag: String) throws(CatalogError) {
        guard !tag.isEmpty else { throw .badTag(tag, reason: "it is empty") }
        guard tag.utf8.count <= 200 else { throw .badTag(tag, reason: "it is longer than 200 bytes") }
        for character in [":", "/", "+"] where !tag.utf8.allSatisfy({ !character.utf8.contains($0) }) {
            throw .badTag(tag, reason: "it has '\(character)', which separates parts of a pack's name")
        }
        guard tag.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), tag.first != " ", tag.last != " " else {
            throw .badTag(tag, reason: "it has a control character, or begins or ends with a space")
        }
    }

    /// Throws for an invalid bundle identifier, and for one that leaves no room for tags in a pack's name.
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
