package import PackFormat
package import SystemPackage

/// Builds packs of Background Assets for Headwind's host and client, and the download manifest that lists them.
///
/// An archive is a zip with the extension `assetpack`, as for On-Demand Resources; no device reads it. Apple's own are
/// Apple Archives (`aar`) with a description that is not public.
extension BackgroundCatalog {
    /// Writes packs and manifest into a folder, and returns the manifest.
    ///
    /// `urlPrefix` is the text in front of each pack's identifier in the manifest; nil, the default, makes addresses
    /// relative to the manifest.
    ///
    /// A pack whose archive is the same as in the existing manifest keeps its version. Any other gets the next version,
    /// from 0. Existing packs of the same names are replaced, and others stay. The manifest is written last. Throws
    /// `PackFormatError`, and `CancellationError` if the task is cancelled.
    package func build(to output: FilePath, urlPrefix: String? = nil) throws -> AssetPackManifest {
        try PackFolder.make(output)
        let file = output.appending(Site.downloadManifestName)
        let before = try PacksFolder(output).list(Site.downloadManifestName).map {
            try AssetPackManifest(plist: $0, name: "the existing download manifest '\(file)'")
        }
        var manifest = AssetPackManifest(resources: [])
        manifest.delivery = .backgroundAssets
        for pack in packs {
            try Task.checkCancellation()
            let known = before?.resource(for: pack.identifier)
            manifest.resources.append(try pack.write(to: output, urlPrefix: urlPrefix, before: known))
        }
        try PackFolder.write(manifest.plist(), to: file)
        return manifest
    }
}

extension BackgroundPack {
    fileprivate func write(
        to output: FilePath, urlPrefix: String?, before: AssetPackManifest.Resource?
    ) throws -> AssetPackManifest.Resource {
        let target = output.appending("\(identifier).\(Site.packExtension)")
        try PackFolder.remove(target)
        let items = files.map {
            PackArchive.Item(path: $0.path, content: .file($0.source, size: $0.size), modified: $0.modified)
        }
        let size = try PackArchive.write(items, to: target)
        let digest = try Digest.sha256Hex(of: target)
        let version = before.map { ($0.version ?? 0) + ($0.sha256 == digest ? 0 : 1) } ?? 0
        let name = URLText.encoded(identifier)
        var resource = AssetPackManifest.Resource(
            bundleKey: identifier,
            url: urlPrefix.map { $0 + name } ?? "\(Site.assetsPath.dropFirst())/\(name)",
            isStreamable: false, uncompressedSize: bytes,
            downloadPriority: policy.priority(at: .firstInstallation),
            primaryContentHash: .init(strategy: AssetPackManifest.versionStrategy, hash: "\(version)"),
            downloadSize: size, sha256: digest)
        (resource.policy, resource.isArchive) = (policy, true)
        return resource
    }
}

extension BackgroundCatalog {
    /// A catalog of On-Demand Resources as packs of Background Assets: one for each set of tags, named after its tags.
    ///
    /// Initial-install tags make a pack essential, and prefetched tags make it a prefetch; both at installs and at
    /// updates.
    package init(of catalog: Catalog) {
        let tagged = Dictionary(grouping: catalog.resources.filter { !$0.tags.isEmpty }, by: \.tags)
        let events = Set(AssetDownloadPolicy.Event.allCases)
        self.init(
            packs: tagged.map { tags, resources in
                let isInitial = !tags.isDisjoint(with: catalog.initialInstall)
                let isPrefetched = !tags.isDisjoint(with: catalog.prefetch)
                return BackgroundPack(
                    manifest: catalog.root, identifier: tags.sorted().joined(separator: "+"),
                    policy: isInitial
                        ? .init(.essential, events: events)
                        : isPrefetched ? .init(.prefetch, events: events) : .init(.onDemand),
                    platforms: [],
                    files: resources.map {
                        .init(
                            path: $0.path, source: catalog.root.appending($0.path), size: $0.size,
                            modified: $0.modified)
                    }.sorted { $0.path < $1.path })
            })
    }
}
