extension TagTable {
    private static let tagsKey = "NSBundleResourceRequestTags"
    private static let pathsKey = "NSBundleResourceRequestAssetPacks"
    private static let packsKey = "NSAssetPacks"

    /// Reads `OnDemandResources.plist`, binary or XML; `name` is what an error calls the list.
    ///
    /// A table without paths, or without tags, is not an error: an app whose packs come from asset catalogs has such.
    /// Tags, or files of a pack, that differ only by Unicode normalisation are one.
    package init(plist: [UInt8], name: String = "the tag table") throws(PackFormatError) {
        let list = try PropertyListField(plist, what: name)
        self.init(packsByTag: [:], pathsByPack: [:])
        for (tag, field) in try list.optional(Self.tagsKey)?.entries() ?? [] {
            packsByTag[tag] = try field.required(Self.packsKey).identifiers()
        }
        for (pack, field) in try list.optional(Self.pathsKey)?.entries() ?? [] {
            pathsByPack[pack] = try field.names()
        }
    }

    /// The table as a binary property list, packs and paths sorted; the same table gives the same bytes.
    package func plist() throws(PackFormatError) -> [UInt8] {
        func list(_ texts: [String]) -> PropertyList { .array(texts.sorted().map { .string($0) }) }
        let tags = packsByTag.mapValues { PropertyList.dictionary([Self.packsKey: list($0)]) }
        let paths = pathsByPack.filter { !$0.value.isEmpty }.mapValues(list)
        return PropertyList.dictionary([Self.tagsKey: .dictionary(tags), Self.pathsKey: .dictionary(paths)]).binary
    }
}
