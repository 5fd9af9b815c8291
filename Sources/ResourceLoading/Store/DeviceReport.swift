import PackFormat
package import SystemPackage

/// What a store holds, in the words of Xcode's disk gauge.
///
/// It only reads, so another process may use the store at the same time.
package struct DeviceReport: Sendable {
    /// The states of Xcode's gauge.
    package enum State: String, Codable, Sendable, CaseIterable {
        case notDownloaded = "Not Downloaded"
        case partiallyDownloaded = "Partially Downloaded"
        case downloading = "Downloading"
        case downloaded = "Downloaded"
        case inUse = "In Use"
        case purged = "Purged"
    }

    /// The options of `AssetPack.Status` in Background Assets.
    package enum Status: String, Codable, Sendable, CaseIterable {
        case downloadAvailable, updateAvailable, upToDate, outOfDate, obsolete, downloading, downloaded
    }

    /// One pack.
    package struct Entry: Sendable {
        package var pack: String
        package var tags: [String]
        package var state: State
        /// Bytes of the pack in the store.
        package var stored: Int64
        /// Bytes when it is complete: of the whole download if one has begun, else of the pack; nil if that is not
        /// known.
        package var whole: Int64?
        /// The status options of a pack of Background Assets; nil for any other pack.
        package var status: [Status]?
    }

    /// The packs that are stored, partly downloaded, purged, or in the manifest that the host last sent; sorted by
    /// name.
    package var entries: [Entry] = []
    /// The identifiers of the processes that use the store now, sorted.
    package var users: [Int]

    /// Bytes that the device's Settings would show for the app's resources: packs and partial downloads.
    package var usage: Int64 { entries.map(\.stored).clampedSum }

    /// Reads the state of the store in `root`.
    ///
    /// Throws if there is no store, or if a later version of Headwind made it.
    package init(_ root: FilePath) throws(StoreError) {
        let layout = StoreLayout(root: root)
        guard FileSystem.status(of: layout.mark) != nil else {
            throw StoreError(
                "look into", root, nil, detail: "The folder is not a store: name the store of an earlier request.")
        }
        try StoreMark.refuseLater(layout.mark, than: StoreLock.title)
        // Reads everything in one turn: a pack that is stored between two readings would appear in neither.
        let gate = DeviceLayout.above(root)?.gate ?? layout.gate
        let (claims, survey) = try StoreGate.whileUnchanged(gate) { () throws(StoreError) in
            (StoreUser.all(in: layout.users), try StoreSurvey(layout))
        }
        users = claims.map(\.process).filter { $0 > 0 }.sorted()
        let pinned = claims.reduce(into: Set<String>()) { $0.formUnion($1.pinned) }
        let wanted = claims.reduce(into: Set<String>()) { $0.formUnion($1.wanted) }
        let inventory = survey.inventory
        let manifest = FileSystem.contents(of: layout.manifest, limit: 16 << 20)
            .flatMap { try? AssetPackManifest(plist: $0) }
        let table = FileSystem.contents(of: layout.tagTable, limit: 16 << 20).flatMap { try? TagTable(plist: $0) }
        let resources = Dictionary((manifest?.resources ?? []).map { ($0.bundleKey, $0) }) { first, _ in first }
        let tags = table?.tagsByPack ?? [:]
        let purged = inventory.index.packs.filter(\.value.isPurged).keys
        let all = Set(resources.keys).union(inventory.packs.keys).union(inventory.partials.keys).union(purged)
        for pack in all.sorted() {
            let resource = resources[pack]
            let known = inventory.index.packs[pack]
            var entry = Entry(
                pack: pack,
                tags: inventory.packs[pack]?.tags ?? tags[pack] ?? [],
                state: known?.isPurged == true ? .purged : .notDownloaded,
                stored: 0,
                whole: resource?.downloadSize ?? resource?.uncompressedSize
            )
            if let stored = inventory.packs[pack] {
                entry.state = pinned.contains(pack) ? .inUse : .downloaded
                entry.stored = stored.bytes
                entry.whole = stored.bytes
            } else if let arrived = inventory.partials[pack] {
                entry.state = wanted.contains(pack) ? .downloading : .partiallyDownloaded
                entry.stored = arrived
                entry.whole = layout.partial(of: pack).readNote()?.total ?? entry.whole
            }
            if manifest?.delivery == .backgroundAssets {
                entry.tags = [pack]
                let offered = resource.map { PackEdition($0) }
                entry.status = Self.status(entry.state, inventory.packs[pack]?.edition, offered)
            }
            entries.append(entry)
        }
    }

    /// The status options of a pack of Background Assets, from its stored edition and the one that the manifest offers.
    static func status(_ state: State, _ stored: PackEdition?, _ offered: PackEdition?) -> [Status] {
        let isUnderWay = state == .downloading ? [Status.downloading] : []
        guard let stored else { return (offered == nil ? [] : [.downloadAvailable]) + isUnderWay }
        guard let offered else { return [.obsolete, .downloaded] }
        return stored.matches(offered) ? [.upToDate, .downloaded] : [.updateAvailable, .outOfDate, .downloaded]
    }
}
