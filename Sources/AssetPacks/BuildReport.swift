package import PackFormat

/// The packs that were built, and the findings about them.
package struct BuildReport: Hashable, Sendable, Codable {
    /// One pack.
    package struct Pack: Hashable, Sendable, Codable {
        /// The pack's identifier in the manifest.
        package var identifier: String
        /// The pack's tags, sorted.
        package var tags: [String]
        /// The name of the pack's file or folder in its address.
        package var name: String
        /// The number of its resources.
        package var files: Int
        /// Bytes of its regular files, including its `Info.plist`.
        ///
        /// Xcode adds the space of its folders on the file system, which differs between machines.
        package var uncompressedSize: Int64
        /// Bytes of its archive; nil for a folder.
        package var downloadSize: Int64?
        /// 0 to 1; nil for a pack that is fetched on demand only.
        package var priority: Double?
    }

    /// The name of the limits that the packs were compared with.
    package var limits: String
    /// The packs, sorted by identifier.
    package var packs: [Pack]
    /// Files without a tag, which belong in the app's bundle.
    package var bundled: [String]
    /// Everything over a limit, errors first.
    package var findings: [LimitFinding]
    /// Other problems that a store refuses, or that are not recommended.
    package var advice: [Advice]
}

extension BuildReport.Pack {
    /// A pack as a manifest lists it; the number of its files is unknown, and 0 here.
    package init(_ resource: AssetPackManifest.Resource, tags: [String], name: String) {
        self.init(
            identifier: resource.bundleKey, tags: tags, name: name, files: 0,
            uncompressedSize: resource.uncompressedSize, downloadSize: resource.downloadSize,
            priority: resource.downloadPriority)
    }
}
