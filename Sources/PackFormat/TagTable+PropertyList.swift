extension TagTable {
    private static let what = "the tag table"

    /// Reads `OnDemandResources.plist`, binary or XML.
    ///
    /// A table without paths, or without tags, is not an error: an app whose packs come from asset catalogs has such.
    package init(plist: [UInt8]) throws(PackFormatError) {
        let form = try PropertyList.decode(TableForm.self, from: plist, what: Self.what)
        self.init(packsByTag: (form.tags ?? [:]).mapValues(\.packs), pathsByPack: form.paths ?? [:])
    }

    /// The table as a binary property list, packs and paths sorted.
    package func plist() throws(PackFormatError) -> [UInt8] {
        let tags = packsByTag.mapValues { TableForm.Tag(packs: $0.sorted()) }
        let form = TableForm(tags: tags, paths: pathsByPack.filter { !$0.value.isEmpty }.mapValues { $0.sorted() })
        return try PropertyList.encode(form, what: Self.what)
    }
}

private struct TableForm: Codable {
    struct Tag: Codable {
        var packs: [String]

        enum CodingKeys: String, CodingKey {
            case packs = "NSAssetPacks"
        }
    }

    var tags: [String: Tag]?
    var paths: [String: [String]]?

    enum CodingKeys: String, CodingKey {
        case tags = "NSBundleResourceRequestTags"
        case paths = "NSBundleResourceRequestAssetPacks"
    }
}
