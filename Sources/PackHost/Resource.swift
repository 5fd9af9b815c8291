import NIOCore
import PackFormat
import SystemPackage

/// One thing that lies at a path of a site.
struct Resource: Sendable {
    /// Where its bytes are.
    enum Content: Sendable {
        case bytes(ByteBuffer)
        case file(ServedPack)
    }

    /// A pack's identifier, `manifest` or `tag-table`.
    let identifier: String
    /// All names under which a fault may mean it, ``identifier`` among them.
    let names: Set<String>
    let content: Content
    /// Its bytes.
    let size: Int64
    /// A strong validator: the SHA-256 of its bytes.
    let tag: EntityTag
    let mediaType: String

    /// A pack.
    init(_ pack: ServedPack) {
        identifier = pack.identifier
        names = Set(pack.tags + [pack.identifier] + (pack.file.lastComponent.map { [$0.string] } ?? []))
        content = .file(pack)
        size = pack.size
        tag = EntityTag(strong: pack.sha256)
        mediaType = pack.path.hasSuffix(".\(Site.packExtension)") ? "application/zip" : "application/octet-stream"
    }

    /// A property list that is kept in memory.
    init(_ identifier: String, name: String, plist: [UInt8]) {
        self.identifier = identifier
        names = [identifier, name]
        content = .bytes(ByteBuffer(bytes: plist))
        size = Int64(plist.count)
        tag = EntityTag(strong: Digest.sha256Hex(plist))
        mediaType = "application/x-plist"
    }
}

extension HostFault {
    /// Whether this fault concerns the `number`th request for `resource`.
    func concerns(_ resource: Resource, number: Int) -> Bool {
        (pack == "*" || resource.names.contains(pack)) && (tries?.contains(number) ?? true)
    }
}
