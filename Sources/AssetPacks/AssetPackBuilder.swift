import FoundationEssentials
package import PackFormat
package import SystemPackage

/// Builds packs from a catalog: one for each distinct set of tags, as Xcode does (swiftlang/swift-build).
package struct AssetPackBuilder: Sendable {
    /// How a pack is written.
    package enum Form: Sendable {
        /// A zip archive, which a host can serve.
        case archive
        /// A folder, as a build leaves it.
        case folder
    }

    package var limits: Limits
    package var form: Form
    /// Stands before each pack's name in the manifest, without a slash between them; nil makes addresses relative to the
    /// manifest's own (ASSET_PACK_MANIFEST_URL_PREFIX).
    package var urlPrefix: String?

    package init(limits: Limits, form: Form = .archive, urlPrefix: String? = nil) {
        self.limits = limits
        self.form = form
        self.urlPrefix = urlPrefix
    }

    /// Writes packs, manifest and tag table below `output`.
    ///
    /// Packs that are there already are replaced, others stay. What is over a limit is built and reported.
    package func build(_ catalog: Catalog, to output: FilePath) throws -> BuildReport {
        try TagRule.check(bundleID: catalog.bundleID)
        for tag in catalog.tags { try TagRule.check(tag) }
        let folder = output.appending(Site.packsFolderName)
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        let priorities = PrefetchPriorities(catalog)
        let tagged = catalog.resources.filter { !$0.tags.isEmpty }
        var built: [BuiltPack] = []
        for (tags, resources) in Dictionary(grouping: tagged, by: \.tags) {
            let plan = PackPlan(
                catalog: catalog, tags: tags, resources: resources, priority: priorities.priority(of: tags))
            built.append(try plan.write(to: folder, form: form))
        }
        built.sort { $0.pack.identifier < $1.pack.identifier }
        let manifest = AssetPackManifest(resources: built.map { $0.resource(urlPrefix: urlPrefix) })
        try Self.write(manifest.plist(), to: output.appending(Site.manifestName))
        try Self.write(tagTable(built).plist(), to: output.appending(Site.tagTableName))
        let packs = built.map(\.pack)
        let findings = LimitCheck(limits).findings(
            packs, initialInstall: catalog.initialInstall, prefetch: Set(catalog.prefetch))
        return BuildReport(
            limits: limits.name, packs: packs, bundled: catalog.resources.filter(\.tags.isEmpty).map(\.path),
            findings: findings)
    }

    private func tagTable(_ built: [BuiltPack]) -> TagTable {
        var packsByTag: [String: [String]] = [:]
        for pack in built.map(\.pack) {
            for tag in pack.tags { packsByTag[tag, default: []].append(pack.identifier) }
        }
        let paths = Dictionary(built.map { ($0.pack.identifier, $0.paths) }) { first, _ in first }
        return TagTable(packsByTag: packsByTag, pathsByPack: paths)
    }

    private static func write(_ bytes: [UInt8], to path: FilePath) throws {
        do { try Data(bytes).write(to: URL(filePath: path.string), options: .atomic) } catch {
            throw PackFormatError.fileNotWritten(path, reason: "\(error)")
        }
    }
}

/// What a tag's place among the categories is worth (swiftlang/swift-build, TaskProducer).
struct PrefetchPriorities {
    private let byTag: [String: Double]

    init(_ catalog: Catalog) {
        var byTag: [String: Double] = [:]
        let count = catalog.prefetch.count
        for (index, tag) in catalog.prefetch.enumerated() where byTag[tag] == nil {
            byTag[tag] = count == 1 ? 0.5 : Double(count - 1 - index) / Double(count - 1) * 0.9 + 0.05
        }
        for tag in catalog.initialInstall { byTag[tag] = 1 }
        self.byTag = byTag
    }

    /// The highest of the tags' priorities; nil for a pack that is fetched on demand only.
    func priority(of tags: Set<String>) -> Double? {
        tags.compactMap { byTag[$0] }.max()
    }
}
