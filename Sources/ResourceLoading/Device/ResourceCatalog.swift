import PackFormat

/// What a host offers: its manifest and, except for Background Assets, its tag table, with every URL made absolute.
struct ResourceCatalog: Sendable {
    private var packs: [String: CatalogPack] = [:]
    private let table: TagTable
    private let delivery: Delivery
    /// When the system downloads packs of Background Assets by itself, by pack.
    private var policies: [String: AssetDownloadPolicy] = [:]

    /// Reads the manifest and the tag table.
    ///
    /// `base` is the manifest's own URL; empty for a file. Background Assets have no tag table: their packs are called
    /// by their identifiers.
    ///
    /// Throws 4994 with its underlying cause if a file cannot be read, or if a pack has no valid URL.
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
        let tags = table.tagsByPack
        for resource in contents.resources {
            packs[resource.bundleKey] = try Self.pack(resource, tags: tags[resource.bundleKey] ?? [], base: base)
        }
    }

    private static func pack(
        _ resource: AssetPackManifest.Resource,
        tags: [String],
        base: String
    ) throws(ResourceError) -> CatalogPack {
        // A manifest that comes with the app has no URL of its own, so the URLs of its packs are absolute.
        guard let url = CurlURL(base.isEmpty ? resource.url : base)?.resolve(resource.url),
            let name = CurlURL(url)?.fileName
        else {
            throw .noManifest("The manifest has no http or https URL for the pack '\(resource.bundleKey)'.")
        }
        let isArchive = resource.isArchive ?? name.hasSuffix(".\(Site.packExtension)")
        // A name that could lead out of the pack's folder is not used.
        let isName = !PackPath.hasSlash(name) && !name.utf8.contains(0)
        let isFit = isName && !["", ".", "..", StoreLayout.noteName].contains(name)
        return CatalogPack(
            identifier: resource.bundleKey,
            url: url,
            tags: tags,
            edition: PackEdition(resource),
            priority: resource.downloadPriority,
            storedSize: max(0, resource.uncompressedSize),
            downloadSize: resource.downloadSize,
            fileName: isArchive ? nil : isFit ? name : "content"
        )
    }

    /// The identifiers of all packs.
    var identifiers: Set<String> { Set(packs.keys) }

    /// The edition that is offered of a pack; nil for a pack that is not offered.
    func edition(of pack: String) -> PackEdition? { packs[pack]?.edition }

    /// The install plan: from policies for Background Assets, else from the priorities of packs.
    ///
    /// A manifest has priorities only for packs, each the highest of its tags'. So a tag's own is the lowest of its
    /// packs', and 0 if one of them is fetched on demand.
    func installPlan(at event: AssetDownloadPolicy.Event) -> InstallPlan {
        guard delivery == .onDemandResources else {
            func packs(_ kind: AssetDownloadPolicy.Kind) -> [String] {
                policies.filter { $0.value.kind(at: event) == kind }.keys.sorted()
            }
            return InstallPlan(initial: packs(.essential), prefetched: packs(.prefetch))
        }
        let priorities = table.packsByTag.mapValues { $0.map { packs[$0]?.priority ?? 0 }.min() ?? 0 }
        let tags = priorities.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return InstallPlan(
            initial: tags.filter { $0.value >= 1 }.map(\.key).sorted(),
            prefetched: tags.filter { $0.value > 0 && $0.value < 1 }.map(\.key))
    }

    /// The packs of all tags together, sorted by identifier.
    ///
    /// Throws 4994 for a tag that is not in the table, and -1008 for a pack that is in the table but not in the
    /// manifest. For Background Assets an unknown identifier throws `BAManagedErrorDomain` 0.
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
    /// Bytes of the file that is served; nil if the manifest does not say.
    var downloadSize: Int64?
    /// The name under which a plain file is stored; nil for an archive, which is unpacked.
    var fileName: String?

    /// The room in bytes that the device must have, during the download and after.
    var room: Int64 { room(files: 0, download: 0) }

    /// The same, if its files or its download have at least this many bytes.
    ///
    /// An archive stays until all of its files are unpacked. A plain file is its own download.
    func room(files: Int64, download: Int64) -> Int64 {
        let (files, download) = (max(files, storedSize), max(download, downloadSize ?? 0))
        return fileName == nil ? [files, download].clampedSum : max(files, download)
    }

    /// What the download must match.
    ///
    /// The manifest's `uncompressedSize` is not used: some builders round it up.
    var expectation: Expectation { Expectation(size: downloadSize, sha256: edition.sha256) }
}

/// What comes with an app and what after it, by its manifest's priorities (swiftlang/swift-build, TaskProducer.swift).
package struct InstallPlan: Hashable, Sendable {
    /// Tags whose packs are downloaded with the app, sorted: all of these packs have the priority 1.
    package var initial: [String]
    /// Tags whose packs are downloaded after the app, by falling priority.
    package var prefetched: [String]
}
