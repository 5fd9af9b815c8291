import NIOCore
import PackFormat
import SystemPackage

/// One resource at a path of a site.
struct Resource: Sendable {
    /// Where its bytes are.
    enum Content: Sendable {
        case bytes(ByteBuffer)
        case file(ServedPack)
    }

    /// A pack's identifier, `manifest` or `tag-table`.
    let identifier: String
    /// The name of its file.
    let name: String
    let content: Content
    /// Its size in bytes.
    let size: Int64
    /// A strong validator: the SHA-256 of its bytes.
    let tag: EntityTag
    let mediaType: String

    /// A pack.
    init(_ pack: ServedPack) {
        identifier = pack.identifier
        name = pack.file.lastComponent?.string ?? ""
        content = .file(pack)
        size = pack.size
        tag = EntityTag(opaque: pack.sha256, isWeak: false)
        mediaType = pack.path.hasSuffix(".\(Site.packExtension)") ? "application/zip" : "application/octet-stream"
    }

    /// A list that is kept in memory: a property list, or a download manifest.
    init(_ identifier: String, name: String, list: [UInt8]) {
        self.identifier = identifier
        self.name = name
        content = .bytes(ByteBuffer(bytes: list))
        size = Int64(list.count)
        tag = EntityTag(opaque: Digest.sha256Hex(list), isWeak: false)
        mediaType = AssetPackManifest.isDownloadManifest(list) ? "application/json" : "application/x-plist"
    }

    /// Whether it is a pack, not a list of the site.
    var isPack: Bool {
        if case .file = content { true } else { false }
    }

    /// Whether a fault with this name concerns it.
    func isCalled(_ name: String) -> Bool {
        switch content {
        case .bytes: identifier == name || self.name == name
        case .file(let pack): pack.isCalled(name)
        }
    }
}

extension HostFault {
    /// Whether this fault concerns requests for `resource`, of some number and range.
    func concerns(_ resource: Resource) -> Bool { pack == "*" || resource.isCalled(pack) }
}
