package import PackFormat

/// What was built, and what its limits say of it.
package struct BuildReport: Hashable, Sendable, Codable {
    /// One pack.
    package struct Pack: Hashable, Sendable, Codable {
        /// The pack's identifier in the manifest.
        package var identifier: String
        /// The pack's tags, sorted.
        package var tags: [String]
        /// The pack's file or folder, as its address names it.
        package var name: String
        /// How many resources it has.
        package var files: Int
        /// Bytes of its regular files, those of its description among them.
        ///
        /// Xcode adds what its folders take on the file system, which differs from one machine to the next.
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
    /// What is over a limit, errors first.
    package var findings: [LimitFinding]
    /// What else is refused or advised against.
    package var advice: [Advice]
}

extension BuildReport.Pack {
    /// A pack as a manifest lists it; how many files it has is not known, and 0.
    package init(_ resource: AssetPackManifest.Resource, tags: [String], name: String) {
        self.init(
            identifier: resource.bundleKey, tags: tags, name: name, files: 0,
            uncompressedSize: resource.uncompressedSize, downloadSize: resource.downloadSize,
            priority: resource.downloadPriority)
    }
}
