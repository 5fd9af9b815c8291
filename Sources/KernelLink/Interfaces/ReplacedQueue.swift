import FoundationEssentials
package import Netlink

/// A queue of another program that a shape has replaced.
package struct ReplacedQueue: Hashable, Sendable {
    package var kind: String
    package var handle: TrafficHandle
    /// The options to make it again, which may be empty; nil if it cannot be made again.
    package var options: [UInt8]?
}

extension ReplacedQueue {
    /// Keeps only the name of a queue that cannot be made again.
    ///
    /// That is a queue with other queues in it, filters, a block, a table of sizes or an estimator, or one of a kind
    /// that does not report all of its options.
    init(_ root: InstalledTraffic, isAlone: Bool) {
        self.init(
            kind: root.kind, handle: root.handle,
            options: isAlone && !root.hasExtras && !root.hasBlock && Self.telling.contains(root.kind)
                ? root.options.array : nil)
    }

    /// Reads `kind,8001:,BASE64`, `kind,8001:,.BASE64` with compact options, or `kind,8001:,-`; nil if the text is none
    /// of these.
    init?(parsing text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, Self.kindBytes.contains(parts[0].utf8.count), parts[1].hasSuffix(":"),
            let major = UInt16(parts[1].dropLast(), radix: 16)
        else { return nil }
        let isCompact = parts[2].first == "."
        let bytes = parts[2] == "-" ? nil : Self.bytes(of: isCompact ? String(parts[2].dropFirst()) : parts[2])
        let options = isCompact ? bytes.flatMap(CompactAttributes.unpack) : bytes
        self.init(kind: parts[0], handle: TrafficHandle(major), options: options)
    }

    /// Whether it is restored when the shape is removed.
    package var isRestorable: Bool { options != nil }

    /// Such as `pfifo 8001:`.
    package var name: String { "\(kind) \(handle)" }

    var text: String {
        guard let options else { return "\(kind),\(handle),-" }
        let whole = Self.text(of: options)
        let packed = CompactAttributes.pack(options).map { "." + Self.text(of: $0) } ?? whole
        return "\(kind),\(handle),\(packed.utf8.count < whole.utf8.count ? packed : whole)"
    }

    /// The queue without its options, so that it cannot be made again.
    var forgotten: ReplacedQueue { ReplacedQueue(kind: kind, handle: handle, options: nil) }

    func restoration(on interface: NetworkInterface) -> RouteMessage? {
        options.map { RouteMessage.restoration(of: kind, handle, options: $0, on: interface) }
    }

    /// Kinds whose options, as the kernel reports them, make the same queue again.
    private static let telling: Set<String> = [
        "bfifo", "cake", "codel", "fq", "fq_codel", "fq_pie", "pfifo", "pfifo_fast", "pie", "sfq", "tbf",
    ]

    /// The length in bytes of a kind's name, as IFNAMSIZ of linux/if.h allows: a longer one leaves no room for a mark.
    private static let kindBytes = 1...15

    /// Base64 with `_` for `/`, without padding.
    private static func text(of bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("/", with: "_").filter { $0 != "=" }
    }

    private static func bytes(of text: String) -> [UInt8]? {
        guard !text.contains("/"), !text.contains("=") else { return nil }
        let padding = String(repeating: "=", count: -text.utf8.count & 3)
        return Data(base64Encoded: text.replacing("_", with: "/") + padding).map { [UInt8]($0) }
    }
}
