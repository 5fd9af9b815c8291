package import PackFormat

/// What the packs of a scenario are, once they are built: what the host serves and what the client is told.
package struct PreparedContent: Sendable {
    /// Under this name the client knows the host; the link leads it there.
    package static let hostName = "packs.headwind.internal"
    /// Another name of the host, to which it redirects as if that were somebody else's.
    package static let otherHostName = "mirror.headwind.internal"

    /// What the host serves.
    package var site: Site
    /// The manifest with absolute addresses, as an app's bundle would hold it.
    package var manifest: AssetPackManifest
    package var tagTable: TagTable
    /// The tag table as the app has it: packs are called there as in its manifest.
    package var appTagTable: TagTable
    /// What the host calls packs otherwise than the app does.
    package var hostIdentifiers: [String: String] = [:]
    /// Later versions of the app, in their order; their packs are among the host's.
    package var updates: [PreparedContent] = []
    /// Bytes of the files that have no tag, which are part of the app.
    package var appSize: Int64 = 0
    /// `http` or `https`.
    package var scheme: String
    /// Names and ports, besides the host's own, at which the manifest says that packs are.
    package var authorities: Set<Authority>

    /// A name and a port of an address.
    package struct Authority: Hashable, Sendable {
        package var host: String
        package var port: Int
    }

    /// Bytes that a client must fetch for all packs of some tags; nil where a tag is unknown.
    package func downloadBytes(tags: some Sequence<String>) -> Int64? {
        packs(tags: tags).map { packs in packs.map(\.size).reduce(0, +) }
    }

    /// A hash that two contents have in common whose packs have the same names, tags and bytes.
    package var digest: String {
        let all = ([self] + updates).flatMap(\.site.packs)
        let lines = all.map { "\($0.tags.joined(separator: "+")) \($0.size) \($0.sha256)" }
        return Digest.sha256Hex(Array(lines.sorted().joined(separator: "\n").utf8))
    }

    /// The packs of some tags, each once; nil where a tag is unknown.
    package func packs(tags: some Sequence<String>) -> [ServedPack]? {
        guard let identifiers = tagTable.packs(for: Set(tags)) else { return nil }
        return site.packs.filter { identifiers.contains($0.identifier) }
    }

    /// The packs that a name stands for: a tag, all tags of a pack joined by `+`, an identifier or a file's name.
    package func packs(named name: String) -> [ServedPack] {
        if let tagged = packs(tags: [name]) { return tagged }
        return site.packs.filter { $0.isCalled(name) }
    }

    /// The same with a manifest that leaves some packs out; the tag table still names them, and the host has them.
    ///
    /// Throws ``PackFormatError`` where the host's own manifest cannot be read.
    package func omitting(_ names: [String]) throws -> PreparedContent {
        guard !names.isEmpty else { return self }
        let identifiers = Set(names.flatMap { packs(named: $0).map(\.identifier) })
        var content = self
        content.manifest.resources.removeAll { identifiers.contains($0.bundleKey) }
        var served = try AssetPackManifest(plist: site.manifest)
        served.resources.removeAll { identifiers.contains($0.bundleKey) }
        content.site.manifest = try served.plist()
        return content
    }

    /// The one pack that a name stands for; of several that have a tag, the one that has no other.
    ///
    /// Nil where it stands for none or for several.
    package func pack(named name: String) -> ServedPack? {
        let packs = packs(named: name)
        if packs.count == 1 { return packs[0] }
        let alone = packs.filter { $0.tags == [name] }
        return alone.count == 1 ? alone[0] : nil
    }
}

extension PreparedContent {
    /// Makes the client's manifest from a site: relative addresses get the host's name before them.
    ///
    /// Throws ``PackFormatError`` where the site's manifest or tag table cannot be read.
    package init(site: Site, scheme: String) throws {
        self.site = site
        self.scheme = scheme
        manifest = try AssetPackManifest(plist: site.manifest)
        tagTable = try site.tagTable.map { try TagTable(plist: $0) } ?? TagTable(identifiersOf: manifest)
        appTagTable = tagTable
        authorities = []
        let paths = Dictionary(site.packs.map { ($0.identifier, $0.path) }) { first, _ in first }
        for index in manifest.resources.indices {
            let resource = manifest.resources[index]
            guard let address = HTTPAddress(resource.url) else {
                let path = paths[resource.bundleKey] ?? "/" + resource.url.drop { $0 == "/" }
                manifest.resources[index].url = "\(scheme)://\(Self.hostName)\(path)"
                continue
            }
            authorities.insert(Authority(host: address.host, port: address.port))
        }
    }

    /// An address of the manifest that does not fit the scheme; nil where all do.
    package var wrongAddress: String? {
        manifest.resources.lazy.map(\.url).first { url in
            HTTPAddress(url).map { $0.scheme != scheme } ?? false
        }
    }
}
