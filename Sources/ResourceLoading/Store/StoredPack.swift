import PackFormat

/// Identifies an edition of a pack by what the manifest says about its content.
package struct PackEdition: Codable, Hashable, Sendable {
    /// SHA-256 of the file that is served; nil if the manifest has none.
    package var sha256: String?
    /// The manifest's `primaryContentHash`, with its strategy before a colon; nil if it has none.
    package var contentHash: String?

    /// Whether both may be the same edition: compares the SHA-256 if both have one, else the content hash, else it is
    /// true.
    package func matches(_ other: PackEdition) -> Bool {
        if let sha256, let theirs = other.sha256 { return sha256 == theirs }
        if let contentHash, let theirs = other.contentHash { return contentHash == theirs }
        return true
    }
}

extension PackEdition {
    /// The edition that a manifest offers.
    init(_ resource: AssetPackManifest.Resource) {
        self.init(
            sha256: resource.sha256,
            contentHash: resource.primaryContentHash.map { "\($0.strategy):\($0.hash)" }
        )
    }
}

/// A pack that is stored whole.
package struct StoredPack: Codable, Hashable, Sendable {
    /// The version of this note's format.
    package var version = 1
    /// The pack's identifier.
    package var pack: String
    /// The total size of its files, in bytes.
    package var bytes: Int64
    /// The tags that it serves, sorted.
    package var tags: [String] = []
    /// Its edition.
    package var edition = PackEdition()
}
