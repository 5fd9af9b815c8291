package import PackFormat

extension BuildReport.Pack {
    /// A pack as a manifest lists it; how many files it has is not known, and 0.
    package init(_ resource: AssetPackManifest.Resource, tags: [String], name: String) {
        self.init(
            identifier: resource.bundleKey, tags: tags, name: name, files: 0,
            uncompressedSize: resource.uncompressedSize, downloadSize: resource.downloadSize,
            priority: resource.downloadPriority)
    }
}
