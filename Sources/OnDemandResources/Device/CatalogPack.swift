/// A pack as a catalog offers it, with everything that a download needs to know.
struct CatalogPack: Hashable, Sendable {
    /// The pack's identifier.
    var identifier: String
    /// The absolute URL of its file.
    var url: String
    /// The tags that it serves, sorted.
    var tags: [String]
    /// Which edition the catalog offers.
    var edition: PackEdition
    /// 1 for a pack that comes with the app, less for one that comes after it; nil for one that is fetched on demand.
    var priority: Double?
    /// Bytes of its files once stored.
    var storedSize: Int64
    /// Bytes of the file that is served; nil where the manifest does not say.
    var downloadSize: Int64?
    /// The name under which a plain file is stored; nil for an archive, which is unpacked.
    var fileName: String?

    /// Bytes for which the device must have room, during the download and after.
    var room: Int64 { max(storedSize, downloadSize ?? 0) }

    /// What is known of the file.
    ///
    /// The manifest's `uncompressedSize` does not count: some builders round it up.
    var expectation: Expectation { Expectation(size: downloadSize, sha256: edition.sha256) }
}
