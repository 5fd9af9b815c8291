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
}

extension AssetPackManifest {
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
}
