import PackFormat

/// What a host offers: its manifest and, but for Background Assets, its tag table, with every URL made absolute.
struct ResourceCatalog: Sendable {
    private var packs: [String: CatalogPack] = [:]
    private let table: TagTable
    private let delivery: Delivery
    /// When the system downloads packs of Background Assets by itself.
    private var policies: [String: AssetDownloadPolicy] = [:]

    /// Reads both files.
    ///
    /// `base` is the manifest's own URL; empty for a file. There is no tag table of Background Assets, whose packs are called
    /// by their identifiers.
    ///
    /// Throws 4994 with its underlying cause where one cannot be read, or names a pack at a URL that is none.
    init(manifest: [UInt8], tagTable: [UInt8]?, base: String) throws(ResourceError) {
        let contents: AssetPackManifest
        do {
            if let tagTable {
                contents = try AssetPackManifest(plist: manifest)
                table = try TagTable(plist: tagTable)
            } else {
                contents = try AssetPackManifest(download: manifest)
                table = TagTable(identifiersOf: contents)
            }
        } catch {
            throw .noManifest("The manifest or the tag table of '\(Redaction.url(base))' cannot be read: \(error)")
        }
        delivery = contents.delivery
        for resource in contents.resources { policies[resource.bundleKey] = resource.policy }
        var tags: [String: [String]] = [:]
        for (tag, packs) in table.packsByTag {
            for pack in packs { tags[pack, default: []].append(tag) }
        }
        for resource in contents.resources {
            packs[resource.bundleKey] = try Self.pack(resource, tags: tags[resource.bundleKey] ?? [], base: base)
        }
    }

    private static func pack(
        _ resource: AssetPackManifest.Resource,
        tags: [String],
        base: String
    ) throws(ResourceError) -> CatalogPack {
        // A manifest that is no URL's, but an app's own, names its packs at absolute ones.
        guard let url = CurlURL(base.isEmpty ? resource.url : base)?.resolve(resource.url),
            let name = CurlURL(url)?.fileName
        else {
            throw .noManifest("The manifest has no http or https URL for the pack '\(resource.bundleKey)'.")
        }
        let isArchive = resource.isArchive ?? name.hasSuffix(".\(Site.packExtension)")
        // A name that could leave the pack's folder is not taken over.
        let isName = !PackPath.hasSlash(name) && !name.utf8.contains(0)
        let isFit = isName && !["", ".", "..", StoreLayout.noteName].contains(name)
        return CatalogPack(
            identifier: resource.bundleKey,
            url: url,
            tags: tags.sorted(),
            edition: PackEdition(resource),
            priority: resource.downloadPriority,
            storedSize: max(0, resource.uncompressedSize),
            downloadSize: resource.downloadSize,
            fileName: isArchive ? nil : isFit ? name : "content"
        )
    }

    /// The identifiers of all packs.
    var identifiers: Set<String> { Set(packs.keys) }

    /// The edition that is offered of a pack; nil for one that is not.
    func edition(of pack: String) -> PackEdition? { packs[pack]?.edition }

    /// What policies say of an install of the app; nil for On-Demand Resources, which have priorities.
    func managedPlan(at event: AssetDownloadPolicy.Event) -> InstallPlan? {
        guard delivery == .backgroundAssets else { return nil }
        func packs(_ kind: AssetDownloadPolicy.Kind) -> [String] {
            policies.filter { $0.value.kind(at: event) == kind }.keys.sorted()
        }
        return InstallPlan(initial: packs(.essential), prefetched: packs(.prefetch))
    }

    /// The least priority of each tag's packs, 0 for one that is fetched on demand.
    var leastPriorities: [String: Double] {
        table.packsByTag.mapValues { identifiers in
            identifiers.map { packs[$0]?.priority ?? 0 }.min() ?? 0
        }
    }

    /// The packs of all tags together, sorted by identifier.
    ///
    /// Throws 4994 for a tag that is not in the table, and -1008 for a pack that the table names and the manifest not.
    func packs(for tags: Set<String>) throws(ResourceError) -> [CatalogPack] {
        guard let identifiers = table.packs(for: tags) else {
            guard delivery == .onDemandResources else { throw .assetPackNotFound(table.missingTags(tags)) }
            let names = table.missingTags(tags).map { "'\($0)'" }.joined(separator: ", ")
            throw .invalidTag("Invalid tag: \(names). Check the tag's spelling, and that the packs are up to date.")
        }
        var found: [CatalogPack] = []
        for identifier in identifiers.sorted() {
            guard let pack = packs[identifier] else {
                let text = "The tag table names the pack '\(identifier)', which the manifest does not have."
                throw DownloadFailure(.absent, text).resourceError(of: "pack '\(identifier)'")
            }
            found.append(pack)
        }
        return found
    }
}

/// A pack as a catalog offers it, with everything that a download needs to know.
struct CatalogPack: Hashable, Sendable {
    /// The pack's identifier.
    var identifier: String
    /// The absolute URL of its file.
    var url: String
    /// The tags that it serves, sorted.
    var tags: [String]
    /// Which edition the catalog offers.
    var edition: PackEdition
    /// 1 for a pack that comes with the app, less for one that comes after it; nil for one that is fetched on demand.
    var priority: Double?
    /// Bytes of its files once stored.
    var storedSize: Int64
    /// Bytes of the file that is served; nil where the manifest does not say.
    var downloadSize: Int64?
    /// The name under which a plain file is stored; nil for an archive, which is unpacked.
    var fileName: String?

    /// Bytes for which the device must have room, during the download and after.
    var room: Int64 { room(files: 0, download: 0) }

    /// The same where its files, or its download, have so many bytes at least.
    ///
    /// An archive is there beside its files until all of them are. A plain file is its own download.
    func room(files: Int64, download: Int64) -> Int64 {
        let (files, download) = (max(files, storedSize), max(download, downloadSize ?? 0))
        return fileName == nil ? [files, download].clampedSum : max(files, download)
    }

    /// What is known of the file.
    ///
    /// The manifest's `uncompressedSize` does not count: some builders round it up.
    var expectation: Expectation { Expectation(size: downloadSize, sha256: edition.sha256) }
}

/// What comes with an app, and what after it, as its manifest's priorities say (swiftlang/swift-build, TaskProducer.swift).
package struct InstallPlan: Hashable, Sendable {
    /// Tags whose packs are downloaded with the app, sorted: all of them have the priority 1.
    package var initial: [String]
    /// Tags whose packs are downloaded after it, in their order: of falling priority.
    package var prefetched: [String]
}

extension ResourceCatalog {
    /// What the priorities of the packs say of their tags.
    ///
    /// A manifest has priorities of packs alone, each the highest of its tags', so a tag's own is the least of its packs'.
    func installPlan(at event: AssetDownloadPolicy.Event) -> InstallPlan {
        if let plan = managedPlan(at: event) { return plan }
        let tags = leastPriorities.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return InstallPlan(
            initial: tags.filter { $0.value >= 1 }.map(\.key).sorted(),
            prefetched: tags.filter { $0.value > 0 && $0.value < 1 }.map(\.key))
    }
}
