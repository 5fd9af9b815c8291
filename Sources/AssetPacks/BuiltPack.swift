import PackFormat

/// A pack that has been written.
struct BuiltPack {
    let pack: BuildReport.Pack
    /// The ways of its resources, as the tag table names them.
    let paths: [String]
    /// When its newest resource was changed, in nanoseconds since 1970.
    let newest: Int64
    /// SHA-256 of its archive; nil for a folder.
    let sha256: String?

    /// The pack's entry in a manifest; its address is relative to the manifest's unless there is a prefix.
    func resource(urlPrefix: String?) -> AssetPackManifest.Resource {
        let name = URLText.encoded(pack.name)
        return AssetPackManifest.Resource(
            bundleKey: pack.identifier,
            url: urlPrefix.map { $0 + name } ?? "\(Site.packsFolderName)/\(name)",
            isStreamable: urlPrefix.map { $0.hasPrefix("http:") || $0.hasPrefix("https:") } ?? true,
            uncompressedSize: pack.uncompressedSize,
            downloadPriority: pack.priority,
            primaryContentHash: .init(strategy: "modtime", hash: CivilTime(nanoseconds: newest).text),
            downloadSize: pack.downloadSize,
            sha256: sha256)
    }
}
