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

    /// The limits that the packs are compared with.
    package var limits: Limits
    /// How packs are written; archives by default.
    package var form: Form
    /// Text in front of each pack's name in the manifest, without a slash between them
    /// (ASSET_PACK_MANIFEST_URL_PREFIX).
    ///
    /// nil, the default, makes addresses relative to the manifest's own.
    package var urlPrefix: String?

    /// A builder that compares packs with `limits`.
    package init(limits: Limits, form: Form = .archive, urlPrefix: String? = nil) {
        self.limits = limits
        self.form = form
        self.urlPrefix = urlPrefix
    }

    /// Writes packs, manifest and tag table below `output`.
    ///
    /// Existing packs of the same names are replaced, and others stay. The manifest is written last, so a failed build
    /// leaves the older one valid. A pack over a limit is built and reported; that is no error. Throws
    /// ``CatalogError``, before anything is written, if no packs can be made from the catalog; `PackFormatError` for
    /// files that cannot be read or written.
    package func build(_ catalog: Catalog, to output: FilePath) throws -> BuildReport {
        let plans = try plans(for: catalog)
        let advice = try Advice.files(of: catalog, plans)
        let folder = output.appending(Site.packsFolderName)
        try PackFolder.make(folder)
        var built: [BuiltPack] = []
        for plan in plans { built.append(try plan.write(to: folder, form: form)) }
        let manifest = AssetPackManifest(resources: built.map { $0.resource(urlPrefix: urlPrefix) })
        try PackFolder.write(tagTable(built).plist(), to: output.appending(Site.tagTableName))
        try PackFolder.write(manifest.plist(), to: output.appending(Site.manifestName))
        return report(on: catalog, built.map(\.pack), advice)
    }

    /// The report that ``build(_:to:)`` would return, except download sizes; writes nothing.
    ///
    /// `appSize` is the size of the app in bytes (default: 0), without the files that have no tag. Throws for the
    /// catalog and its files as `build` does.
    package func plan(_ catalog: Catalog, appSize: Int64 = 0) throws -> BuildReport {
        let plans = try plans(for: catalog)
        let packs = try plans.map { try $0.pack() }
        return report(on: catalog, packs, try Advice.files(of: catalog, plans), appSize: appSize)
    }

    /// The packs of a catalog, sorted by identifier.
    private func plans(for catalog: Catalog) throws -> [PackPlan] {
        try TagRule.check(bundleID: catalog.bundleID)
        try TagRule.check(tagsOf: catalog.resources)
        try TagRule.check(filesOf: catalog)
        let tagged = catalog.resources.filter { !$0.tags.isEmpty }
        return Dictionary(grouping: tagged, by: \.tags).map { tags, resources in
            PackPlan(catalog: catalog, tags: tags, resources: resources, priority: catalog.priority(of: tags))
        }.sorted { $0.identifier < $1.identifier }
    }

    private func report(on catalog: Catalog, _ packs: [BuildReport.Pack], _ advice: [Advice], appSize: Int64 = 0)
        -> BuildReport
    {
        let bundled = catalog.resources.filter(\.tags.isEmpty)
        let findings = limits.findings(
            packs, bundledSize: bundled.map(\.size).reduce(appSize, +), initialInstall: catalog.initialInstall,
            prefetch: Set(catalog.prefetch))
        return BuildReport(
            limits: limits.name, packs: packs, bundled: bundled.map(\.path), findings: findings,
            advice: advice + [Advice.preservation(catalog.preservation)].compactMap { $0 })
    }

    private func tagTable(_ built: [BuiltPack]) -> TagTable {
        var packsByTag: [String: [String]] = [:]
        for pack in built.map(\.pack) {
            for tag in pack.tags { packsByTag[tag, default: []].append(pack.identifier) }
        }
        let paths = Dictionary(uniqueKeysWithValues: built.map { ($0.pack.identifier, $0.paths) })
        return TagTable(packsByTag: packsByTag, pathsByPack: paths)
    }
}

extension Catalog {
    /// The highest priority of the tags; nil for a pack that is fetched on demand only.
    ///
    /// Tags of the initial install have 1; prefetched tags fall evenly from 0.95 to 0.05, or have 0.5 if there is only
    /// one (swiftlang/swift-build, TaskProducer.swift).
    func priority(of tags: Set<String>) -> Double? {
        guard tags.isDisjoint(with: initialInstall) else { return 1 }
        return prefetch.firstIndex(where: tags.contains).map { index in
            let last = Double(prefetch.count - 1)
            return last == 0 ? 0.5 : Double(prefetch.count - 1 - index) / last * 0.9 + 0.05
        }
    }
}
