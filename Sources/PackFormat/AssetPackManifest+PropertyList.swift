extension AssetPackManifest {
    private static let what = "the asset pack manifest"

    /// Reads `AssetPackManifest.plist`, binary or XML, of Xcode's making or ours.
    ///
    /// Keys that are not known are passed over. Throws for what is no manifest, and for a pack that stands in it twice.
    package init(plist: [UInt8]) throws(PackFormatError) {
        let form = try PropertyList.decode(ManifestForm.self, from: plist, what: Self.what)
        var seen: Set<String> = []
        for resource in form.resources {
            guard seen.insert(resource.bundleKey).inserted else {
                throw .notReadable(what: Self.what, reason: "the pack '\(resource.bundleKey)' stands in it twice")
            }
            guard resource.uncompressedSize >= 0, resource.downloadSize ?? 0 >= 0 else {
                throw .notReadable(what: Self.what, reason: "the pack '\(resource.bundleKey)' has a negative size")
            }
        }
        resources = form.resources.map(\.resource)
    }

    /// The manifest as a binary property list, its packs in order of their identifiers.
    package func plist() throws(PackFormatError) -> [UInt8] {
        let sorted = resources.sorted { $0.bundleKey < $1.bundleKey }
        return try PropertyList.encode(ManifestForm(resources: sorted.map(ResourceForm.init)), what: Self.what)
    }
}

private struct ManifestForm: Codable {
    var resources: [ResourceForm]
}

private struct ResourceForm: Codable {
    struct Hash: Codable {
        var strategy: String
        var hash: String
    }

    var bundleKey: String
    var url: String
    var isStreamable: Bool
    var uncompressedSize: Int64
    var downloadPriority: Double?
    var primaryContentHash: Hash?
    var downloadSize: Int64?
    var sha256: String?

    enum CodingKeys: String, CodingKey {
        case bundleKey, isStreamable, uncompressedSize, downloadPriority, primaryContentHash
        case url = "URL"
        case downloadSize = "HeadwindDownloadSize"
        case sha256 = "HeadwindSHA256"
    }

    init(_ resource: AssetPackManifest.Resource) {
        bundleKey = resource.bundleKey
        url = resource.url
        isStreamable = resource.isStreamable
        uncompressedSize = resource.uncompressedSize
        downloadPriority = resource.downloadPriority
        primaryContentHash = resource.primaryContentHash.map { Hash(strategy: $0.strategy, hash: $0.hash) }
        downloadSize = resource.downloadSize
        sha256 = resource.sha256
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bundleKey = try container.decode(String.self, forKey: .bundleKey)
        url = try container.decode(String.self, forKey: .url)
        // Xcode writes the number 1 in some exports and a boolean in others.
        if let flag = try? container.decodeIfPresent(Bool.self, forKey: .isStreamable) {
            isStreamable = flag
        } else {
            isStreamable = try container.decodeIfPresent(Int.self, forKey: .isStreamable) ?? 0 != 0
        }
        uncompressedSize = try container.decode(Int64.self, forKey: .uncompressedSize)
        downloadPriority = try container.decodeIfPresent(Double.self, forKey: .downloadPriority)
        primaryContentHash = try container.decodeIfPresent(Hash.self, forKey: .primaryContentHash)
        downloadSize = try container.decodeIfPresent(Int64.self, forKey: .downloadSize)
        sha256 = try container.decodeIfPresent(String.self, forKey: .sha256)?.lowercased()
    }

    var resource: AssetPackManifest.Resource {
        AssetPackManifest.Resource(
            bundleKey: bundleKey, url: url, isStreamable: isStreamable, uncompressedSize: uncompressedSize,
            downloadPriority: downloadPriority,
            primaryContentHash: primaryContentHash.map { .init(strategy: $0.strategy, hash: $0.hash) },
            downloadSize: downloadSize, sha256: sha256)
    }
}
