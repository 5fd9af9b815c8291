extension AssetPackManifest {
    /// The most packs that a manifest may list; systems allow 1000.
    private static let mostPacks = 100_000

    /// Reads `AssetPackManifest.plist` (Xcode's or Headwind's, binary or XML), or a download manifest of Background
    /// Assets.
    ///
    /// Ignores unknown keys. A list without `isStreamable`, `primaryContentHash` or `downloadPriority` is not an error.
    /// Throws `notReadable` if this is no manifest, lists a pack twice, or has a size or a priority out of range;
    /// `name` is what the error calls the list.
    package init(plist: [UInt8], name: String = "the asset pack manifest") throws(PackFormatError) {
        if Self.isDownloadManifest(plist) {
            self = try AssetPackManifest(download: plist, name: name)
            return
        }
        let fields = try PropertyListField(plist, what: name).required("resources").elements()
        guard fields.count <= Self.mostPacks else {
            throw .notReadable(
                what: name, reason: "it lists \(fields.count) packs; the limit is \(Self.mostPacks)")
        }
        var (resources, identifiers) = ([Resource](), NameLedger())
        for field in fields {
            let resource = try Resource(field)
            switch identifiers.enter(resource.bundleKey) {
            case .new: break
            case .again: throw .notReadable(what: name, reason: "it lists the pack '\(resource.bundleKey)' twice")
            case .twin(let twin):
                throw .notReadable(what: name, reason: "the packs \(NameLedger.reason(resource.bundleKey, twin))")
            }
            resources.append(resource)
        }
        self.init(resources: resources)
    }

    /// The manifest as a binary property list or, for Background Assets, a download manifest; sorted by identifier.
    ///
    /// The same packs give the same bytes. A value out of range, such as a priority of 2, is written unchanged.
    package func plist() throws(PackFormatError) -> [UInt8] {
        if delivery == .backgroundAssets { return download }
        let sorted = resources.sorted { $0.bundleKey < $1.bundleKey }
        return PropertyList.dictionary(["resources": .array(sorted.map(\.propertyList))]).binary
    }
}

extension AssetPackManifest.Resource {
    fileprivate init(_ field: PropertyListField) throws(PackFormatError) {
        self.init(
            bundleKey: try field.required("bundleKey").identifier(),
            url: try field.required("URL").text(),
            isStreamable: try field.optional("isStreamable")?.flag() ?? false,
            uncompressedSize: try field.required("uncompressedSize").size(),
            downloadPriority: try field.optional("downloadPriority")?.share())
        if let hash = try field.optional("primaryContentHash") {
            primaryContentHash = .init(
                strategy: try hash.required("strategy").text(), hash: try hash.required("hash").text())
        }
        downloadSize = try field.optional("HeadwindDownloadSize")?.size()
        if let digest = try field.optional("HeadwindSHA256") {
            let text = try digest.text().lowercased()
            guard Hexadecimal.isDigits(text, count: 64) else { throw digest.wrong("64 hex digits") }
            sha256 = text
        }
    }

    fileprivate var propertyList: PropertyList {
        var entries: [String: PropertyList] = [
            "URL": .string(url), "bundleKey": .string(bundleKey), "isStreamable": .boolean(isStreamable),
            "uncompressedSize": .integer(uncompressedSize),
        ]
        entries["downloadPriority"] = downloadPriority.map { .real($0) }
        entries["primaryContentHash"] = primaryContentHash.map {
            .dictionary(["strategy": .string($0.strategy), "hash": .string($0.hash)])
        }
        entries["HeadwindDownloadSize"] = downloadSize.map { .integer($0) }
        entries["HeadwindSHA256"] = sha256.map { .string($0) }
        return .dictionary(entries)
    }
}
