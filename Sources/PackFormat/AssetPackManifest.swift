/// The list of packs that a host offers: `AssetPackManifest.plist` as Xcode writes it, or a download manifest of
/// Background Assets.
package struct AssetPackManifest: Hashable, Sendable {
    /// The packs, in the order of the file.
    ///
    /// Xcode sorts them by identifier, and so does ``plist()``.
    package var resources: [Resource]
    /// The system whose manifest this is, which decides on the form of the file (default: On-Demand Resources).
    package var delivery = Delivery.onDemandResources

    /// A manifest of these packs.
    package init(resources: [Resource]) {
        self.resources = resources
    }

    /// The entry of the pack with this identifier, or nil.
    package func resource(for identifier: String) -> Resource? {
        resources.first { $0.bundleKey == identifier }
    }

    /// One pack of a manifest.
    package struct Resource: Hashable, Sendable {
        /// The pack's identifier.
        ///
        /// Opaque: builders other than Xcode have their own rules for it.
        package var bundleKey: String
        /// Where the pack is: an absolute URL, or one that is resolved against the manifest's own URL.
        package var url: String
        /// Whether the pack may be unpacked while it is downloaded; Xcode sets it for every http or https URL.
        package var isStreamable: Bool
        /// Bytes of the pack once unpacked.
        ///
        /// An upper bound: some builders round up or count folders.
        package var uncompressedSize: Int64
        /// 0 to 1, higher first; nil, the default, for a pack that is fetched on demand only.
        package var downloadPriority: Double?
        /// A value that changes when the pack's content changes; nil if the builder left it out.
        package var primaryContentHash: ContentHash?
        /// Bytes of the file that is served, in Headwind's own key `HeadwindDownloadSize`; nil when absent.
        package var downloadSize: Int64?
        /// SHA-256 of the file that is served, 64 lowercase hex digits, in `HeadwindSHA256`; nil when absent.
        package var sha256: String?
        /// When the system downloads a pack of Background Assets by itself; nil for any other pack.
        package var policy: AssetDownloadPolicy?
        /// Whether the file is an archive to unpack; nil, the default, if its name shows that.
        package var isArchive: Bool?

        /// An entry; values that are nil are left out of the file.
        package init(
            bundleKey: String,
            url: String,
            isStreamable: Bool,
            uncompressedSize: Int64,
            downloadPriority: Double? = nil,
            primaryContentHash: ContentHash? = nil,
            downloadSize: Int64? = nil,
            sha256: String? = nil
        ) {
            self.bundleKey = bundleKey
            self.url = url
            self.isStreamable = isStreamable
            self.uncompressedSize = uncompressedSize
            self.downloadPriority = downloadPriority
            self.primaryContentHash = primaryContentHash
            self.downloadSize = downloadSize
            self.sha256 = sha256
        }
    }

    /// A value that changes with a pack's content, and the rule by which it was made.
    package struct ContentHash: Hashable, Sendable {
        /// The rule; Xcode's only one is `modtime`, the newest modification time in the pack.
        package var strategy: String
        /// The value, for `modtime` a time such as `2022-01-13T08:57:30.000Z`.
        ///
        /// Compared, never interpreted.
        package var hash: String

        /// A value and its rule.
        package init(strategy: String, hash: String) {
            self.strategy = strategy
            self.hash = hash
        }
    }

    /// The most packs that a manifest may list; systems allow 1000, and a store 200 of Background Assets.
    static let mostPacks = 100_000

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

/// The system of Apple that delivers an app's resources.
package enum Delivery: String, Hashable, Sendable, CaseIterable {
    /// On-Demand Resources: packs are found by tags, and purged when space is needed.
    case onDemandResources = "on-demand-resources"
    /// Background Assets: packs are found by their identifiers, and stay until the app removes them.
    case backgroundAssets = "background-assets"
}
