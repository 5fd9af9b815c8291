/// The packs with each tag's resources: `OnDemandResources.plist`, which an app has in its bundle.
package struct TagTable: Hashable, Sendable {
    /// The identifiers of each tag's packs, sorted.
    package var packsByTag: [String: [String]]
    /// The files of each pack, as sorted paths relative to the pack; a pack without loose files is left out.
    package var pathsByPack: [String: [String]]

    /// A table of these tags and files.
    package init(packsByTag: [String: [String]], pathsByPack: [String: [String]]) {
        self.packsByTag = packsByTag
        self.pathsByPack = pathsByPack
    }

    /// A substitute for Background Assets, which have no table: the only tag of each pack is its identifier.
    package init(identifiersOf manifest: AssetPackManifest) {
        let names = manifest.delivery == .backgroundAssets ? manifest.resources.map(\.bundleKey) : []
        self.init(packsByTag: Dictionary(names.map { ($0, [$0]) }) { first, _ in first }, pathsByPack: [:])
    }

    /// The packs of all `tags` together, or nil if a tag is not in the table; ``missingTags(_:)`` says which.
    package func packs(for tags: Set<String>) -> Set<String>? {
        var packs: Set<String> = []
        for tag in tags {
            guard let identifiers = packsByTag[tag] else { return nil }
            packs.formUnion(identifiers)
        }
        return packs
    }

    /// The `tags` that are not in the table, sorted.
    package func missingTags(_ tags: Set<String>) -> [String] {
        tags.filter { packsByTag[$0] == nil }.sorted()
    }

    /// The tags of each pack in the table, sorted.
    package var tagsByPack: [String: [String]] {
        var tags: [String: [String]] = [:]
        for (tag, packs) in packsByTag.sorted(by: { $0.key < $1.key }) {
            for pack in packs where tags[pack]?.last != tag { tags[pack, default: []].append(tag) }
        }
        return tags
    }

    /// The tags of the pack with this identifier, sorted; empty for an unknown pack.
    package func tags(of identifier: String) -> [String] {
        packsByTag.filter { $0.value.contains(identifier) }.keys.sorted()
    }

    private static let tagsKey = "NSBundleResourceRequestTags"
    private static let pathsKey = "NSBundleResourceRequestAssetPacks"
    private static let packsKey = "NSAssetPacks"

    /// Reads `OnDemandResources.plist`, binary or XML; `name` is what an error calls the list.
    ///
    /// A table without paths or without tags is not an error: an app whose packs come from asset catalogs has one.
    /// Throws `notReadable` for an invalid table, also for tags or files that differ only by Unicode normalisation.
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
