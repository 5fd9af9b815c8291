package import PackFormat

/// The built packs of a scenario: what the host serves, and what the client is given.
package struct PreparedContent: Sendable {
    /// The name of the host for the client; the link routes it to the host.
    package static let hostName = "packs.headwind.internal"
    /// Another name of the host, for redirects that look like redirects to another party.
    package static let otherHostName = "mirror.headwind.internal"

    /// What the host serves.
    package var site: Site
    /// The manifest with absolute URLs, as an app's bundle has it.
    package var manifest: AssetPackManifest
    package var tagTable: TagTable
    /// The tag table of the app, with the identifiers of its manifest.
    package var appTagTable: TagTable
    /// The host's identifiers of packs, by the app's, where they differ.
    package var hostIdentifiers: [String: String] = [:]
    /// Later versions of the app, in order; the host serves their packs, too.
    package var updates: [PreparedContent] = []
    /// The bytes of the files without a tag, which are part of the app.
    package var appSize: Int64 = 0
    /// `http` or `https`.
    package var scheme: String
    /// The names and ports in absolute URLs of the site's manifest.
    package var authorities: Set<Authority>

    /// A name and a port of an address.
    package struct Authority: Hashable, Sendable {
        package var host: String
        package var port: Int
    }

    /// A hash that is equal for contents whose packs have the same tags, sizes and bytes.
    package var digest: String {
        let all = ([self] + updates).flatMap(\.site.packs)
        let lines = all.map { "\($0.tags.joined(separator: "+")) \($0.size) \($0.sha256)" }
        return Digest.sha256Hex(Array(lines.sorted().joined(separator: "\n").utf8))
    }

    /// The packs of some tags, each once; nil if a tag is unknown.
    package func packs(tags: some Sequence<String>) -> [ServedPack]? {
        guard let identifiers = tagTable.packs(for: Set(tags)) else { return nil }
        return site.packs.filter { identifiers.contains($0.identifier) }
    }

    /// The packs that a name means: a tag, all tags of a pack joined by `+`, an identifier, or a file name.
    package func packs(named name: String) -> [ServedPack] {
        if let tagged = packs(tags: [name]) { return tagged }
        return site.packs.filter { $0.isCalled(name) }
    }

    /// The same content with a manifest that leaves out some packs; the tag table still names them, and the host has
    /// them.
    ///
    /// Throws ``PackFormatError`` if the host's own manifest cannot be read or written.
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

    /// The one pack that a name means; of several with a tag, the one without other tags.
    ///
    /// Nil if it means none or several.
    package func pack(named name: String) -> ServedPack? {
        let packs = packs(named: name)
        if packs.count == 1 { return packs[0] }
        let alone = packs.filter { $0.tags == [name] }
        return alone.count == 1 ? alone[0] : nil
    }
}

extension PreparedContent {
    /// Makes the client's manifest from a site: relative addresses become URLs of the host.
    ///
    /// Throws ``PackFormatError`` if the site's manifest or tag table cannot be read.
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

    /// An address of the manifest with another scheme than ``scheme``; nil if there is none.
    package var wrongAddress: String? {
        manifest.resources.lazy.map(\.url).first { url in
            HTTPAddress(url).map { $0.scheme != scheme } ?? false
        }
    }
}
