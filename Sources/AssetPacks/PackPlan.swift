import PackFormat
import SystemPackage

/// One pack that will be written.
struct PackPlan {
    let catalog: Catalog
    let tags: Set<String>
    let resources: [Catalog.Resource]
    let priority: Double?

    var identifier: String { PackNaming.identifier(bundleID: catalog.bundleID, tags: tags) }
    private var name: String { PackNaming.directoryName(bundleID: catalog.bundleID, tags: tags) }

    /// The modification time of the newest resource, in nanoseconds since 1970.
    private var newest: Int64 { resources.map(\.modified).max() ?? 0 }

    /// Writes the pack under its name into `folder`, either complete or not at all.
    func write(to folder: FilePath, form: AssetPackBuilder.Form) throws -> BuiltPack {
        let items = try items()
        let target = folder.appending(name)
        var pack = pack(of: items)
        var digest: String?
        switch form {
        case .archive:
            try PackFolder.remove(target)
            pack.downloadSize = try PackArchive.write(items, to: target)
            digest = try Digest.sha256Hex(of: target)
        case .folder:
            try PackFolder.write(items, to: target)
        }
        return BuiltPack(
            pack: pack, paths: resources.filter { !$0.isOfAssetCatalog }.map(\.path).sorted(), newest: newest,
            sha256: digest)
    }

    /// The report on the pack, before it is written.
    func pack() throws -> BuildReport.Pack { pack(of: try items()) }

    private func pack(of items: [PackArchive.Item]) -> BuildReport.Pack {
        BuildReport.Pack(
            identifier: identifier, tags: tags.sorted(), name: name, files: resources.count,
            uncompressedSize: items.map(\.size).reduce(0, +), priority: priority)
    }

    /// The items of the pack: its resources, and its `Info.plist` with the modification time of the newest.
    private func items() throws -> [PackArchive.Item] {
        let info = try PackInfo(identifier: identifier, tags: tags, priority: priority).plist()
        var items = [PackArchive.Item(path: PackArchive.infoName, content: .bytes(info), modified: newest)]
        for resource in resources {
            items.append(
                PackArchive.Item(
                    path: resource.path,
                    content: .file(catalog.root.appending(resource.path), size: resource.size),
                    modified: resource.modified))
        }
        return items
    }
}

/// A pack that has been written.
struct BuiltPack {
    let pack: BuildReport.Pack
    /// The paths of its resources, as the tag table names them.
    let paths: [String]
    /// The modification time of its newest resource, in nanoseconds since 1970.
    let newest: Int64
    /// SHA-256 of its archive; nil for a folder.
    let sha256: String?

    /// The pack's entry in a manifest; without a prefix, its address is relative to the manifest's.
    func resource(urlPrefix: String?) -> AssetPackManifest.Resource {
        let name = URLText.encoded(pack.name)
        return AssetPackManifest.Resource(
            bundleKey: pack.identifier,
            url: urlPrefix.map { $0 + name } ?? "\(Site.packsFolderName)/\(name)",
            isStreamable: urlPrefix.map { $0.hasPrefix("http:") || $0.hasPrefix("https:") } ?? true,
            uncompressedSize: pack.uncompressedSize,
            downloadPriority: pack.priority,
            primaryContentHash: .init(strategy: "modtime", hash: CivilTime(nanoseconds: newest).text),
            downloadSize: pack.downloadSize,
            sha256: sha256)
    }
}
