package import Documents

/// The download manifest of Background Assets, as `ba-package download-manifest create` writes it.
///
/// ```json
/// {"assetPacks": [{"id": "tutorial", "url": "https://h/assets/tutorial", "version": 0, "downloadSize": 596,
///                  "downloadPolicy": {"onDemand": {}}, "host": {"thirdParty": {}}}]}
/// ```
/// Each pack's address ends in its identifier, without an extension.
extension AssetPackManifest {
    private static let packsKey = "assetPacks"
    /// The key of Headwind's own member, which Apple's tools do not write and other readers must ignore.
    fileprivate static let ownKey = "headwind"
    /// The strategy of a content hash that is a pack's version.
    package static let versionStrategy = "version"

    /// Whether these bytes look like a download manifest: JSON with the key `assetPacks`.
    package static func isDownloadManifest(_ bytes: [UInt8]) -> Bool {
        bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
            && bytes.firstRange(of: Array(packsKey.jsonQuoted.utf8)) != nil
    }

    /// Reads a download manifest.
    ///
    /// Ignores unknown keys. Throws `notReadable` if this is no download manifest, with the line and the column; `name`
    /// is what the error calls it.
    package init(
        download bytes: [UInt8], name: String = "the download manifest"
    ) throws(PackFormatError) {
        guard bytes.count <= PropertyList.mostBytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw .notReadable(
                what: name, reason: "it is not UTF-8, or has more than \(PropertyList.mostBytes) bytes")
        }
        do throws(JSONProblem) {
            self.init(resources: try Self.resources(try JSONReader.read(text)))
            delivery = .backgroundAssets
        } catch {
            throw .notReadable(what: name, reason: "\(error.mark): \(error.reason)")
        }
    }

    /// Replaces each address that names a host by the path of its pack in `paths`, a table by identifier.
    ///
    /// A manifest without such addresses keeps its bytes. In any other, all other members keep their values.
    static func readdressed(_ bytes: [UInt8], paths: [String: String]) throws(PackFormatError) -> [UInt8] {
        let manifest = try AssetPackManifest(download: bytes)
        let isLeadingAway = manifest.resources.contains { $0.url.firstRange(of: "://") != nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard isLeadingAway, let root = try? JSONReader.read(text) else { return bytes }
        let changed = root.json { key, value in
            guard key == packsKey, case .array(let nodes) = value.content else { return nil }
            let packs = nodes.map { node in
                let id = try? node.member("id")?.text()
                return node.json { key, value in
                    let isAway = (try? value.text())?.firstRange(of: "://") != nil
                    return key == "url" && isAway ? id.flatMap { paths[$0] }?.jsonQuoted : nil
                }
            }
            return "[\(packs.joined(separator: ", "))]"
        }
        return Array((changed + "\n").utf8)
    }

    private static func resources(_ root: JSONNode) throws(JSONProblem) -> [Resource] {
        let nodes = try root.required(packsKey).elements("a list of packs")
        guard nodes.count <= mostPacks else {
            throw JSONProblem(root.mark, "it lists \(nodes.count) packs; the limit is \(mostPacks)")
        }
        var (resources, names) = ([Resource](), NameLedger())
        for node in nodes {
            let resource = try Resource(download: node)
            switch names.enter(resource.bundleKey) {
            case .new: break
            case .again: throw JSONProblem(node.mark, "it lists the pack '\(resource.bundleKey)' twice")
            case .twin(let twin): throw JSONProblem(node.mark, NameLedger.reason(resource.bundleKey, twin))
            }
            resources.append(resource)
        }
        return resources
    }

    /// The manifest as a download manifest, with its packs sorted by identifier.
    ///
    /// The same packs give the same bytes.
    var download: [UInt8] {
        let packs = resources.sorted { $0.bundleKey < $1.bundleKey }.map(\.downloadTree)
        return Array((JSONTree.object([Self.packsKey: .list(packs)]).json + "\n").utf8)
    }
}

extension AssetPackManifest.Resource {
    /// The value of Headwind's own `archive` for a pack that is a zip archive with the extension `assetpack`.
    private static let archiveName = Site.packExtension
    private static let mostBytes: Int64 = 16 << 40

    /// The version of a pack of Background Assets; nil for any other pack, and if the manifest has none.
    package var version: Int64? {
        primaryContentHash.flatMap { $0.strategy == AssetPackManifest.versionStrategy ? Int64($0.hash) : nil }
    }

    fileprivate init(download node: JSONNode) throws(JSONProblem) {
        let id = try node.required("id")
        let url = try node.required("url")
        let own = try node.member(AssetPackManifest.ownKey)
        self.init(
            bundleKey: try Self.identifier(id), url: try url.text(), isStreamable: false,
            uncompressedSize: 0)
        guard !self.url.isEmpty else { throw JSONProblem(url.mark, "the address is empty") }
        if let size = try node.member("downloadSize") { downloadSize = try Self.bytes(size) }
        uncompressedSize = downloadSize ?? 0
        if let size = try own?.member("uncompressedSize") { uncompressedSize = try Self.bytes(size) }
        if let version = try node.member("version") {
            primaryContentHash = .init(
                strategy: AssetPackManifest.versionStrategy,
                hash: "\(try Self.whole(version, "a version", most: .max))")
        }
        let policy = try node.member("downloadPolicy").map { node throws(JSONProblem) in try AssetDownloadPolicy(node) }
        self.policy = policy ?? AssetDownloadPolicy(.onDemand)
        downloadPriority = policy?.priority(at: .firstInstallation)
        if let archive = try own?.member("archive") { isArchive = try archive.text() == Self.archiveName ? true : nil }
        if let digest = try own?.member("sha256") {
            let text = try digest.text().lowercased()
            guard Hexadecimal.isDigits(text, count: 64) else {
                throw JSONProblem(digest.mark, "there should be 64 hex digits, and there is \(digest.kind)")
            }
            sha256 = text
        }
    }

    /// Reads an identifier that is safe in an address and as the name of a file.
    ///
    /// Throws if it is empty, has more than 200 bytes, a slash or a control character, or is `.` or `..`.
    package static func identifier(_ node: JSONNode) throws(JSONProblem) -> String {
        let text = try node.text()
        guard let fault = identifierFault(text) else { return text }
        throw JSONProblem(node.mark, "\(node.kind) cannot be a pack's identifier: \(fault)")
    }

    private static func identifierFault(_ text: String) -> String? {
        if text.isEmpty { return "it is empty" }
        if text.utf8.count > 200 { return "it has \(text.utf8.count) bytes; the limit is 200" }
        if PackPath.hasSlash(text) || text == "." || text == ".." { return "it has a slash, or is '.' or '..'" }
        let isVisible = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isVisible ? nil : "it has a control character"
    }

    private static func bytes(_ node: JSONNode) throws(JSONProblem) -> Int64 {
        try whole(node, "a number of bytes", most: mostBytes)
    }

    private static func whole(_ node: JSONNode, _ what: String, most: Int64) throws(JSONProblem) -> Int64 {
        guard case .literal(let text) = node.content, let number = Int64(text), (0...most).contains(number) else {
            throw JSONProblem(node.mark, "there should be \(what), 0 to \(most), and there is \(node.kind)")
        }
        return number
    }

    fileprivate var downloadTree: JSONTree {
        let own = JSONTree.object([
            "archive": isArchive == true ? .text(Self.archiveName) : nil,
            "uncompressedSize": .whole(uncompressedSize), "sha256": sha256.map { .text($0) },
        ])
        return .object([
            "id": .text(bundleKey), "url": .text(url), "version": version.map { .whole($0) },
            "downloadSize": downloadSize.map { .whole($0) },
            "downloadPolicy": (policy ?? AssetDownloadPolicy(.onDemand)).tree,
            "host": .object(["thirdParty": .object([:])]), AssetPackManifest.ownKey: own,
        ])
    }
}

extension JSONNode {
    /// The value as JSON; a text that `member` returns replaces the value of that member of the top object.
    fileprivate func json(replacing member: (_ key: String, _ value: JSONNode) -> String?) -> String {
        guard case .object(let members) = content else { return line(colon: ": ", comma: ", ") }
        let texts = members.map {
            "\($0.key.jsonQuoted): \(member($0.key, $0.value) ?? $0.value.line(colon: ": ", comma: ", "))"
        }
        return "{\(texts.joined(separator: ", "))}"
    }
}
