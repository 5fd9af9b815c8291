package import Netlink

/// A queue of another program that a shape has replaced.
package struct ReplacedQueue: Hashable, Sendable {
    package var kind: String
    package var handle: TrafficHandle
    /// The options to make it again, which may be empty; nil if it cannot be made again.
    package var options: [UInt8]?

    init(kind: String, handle: TrafficHandle, options: [UInt8]?) {
        (self.kind, self.handle, self.options) = (kind, handle, options)
    }

    /// Keeps only the name of a queue that cannot be made again.
    ///
    /// That is a queue with other queues in it, filters, a block, a table of sizes or an estimator, or one of a kind
    /// that does not report all of its options.
    init(_ root: InstalledTraffic, isAlone: Bool) {
        let memory = root.memory
        self.init(
            kind: memory.kind, handle: memory.handle,
            options: isAlone && !root.hasExtras && !root.hasBlock && Self.telling.contains(memory.kind)
                ? memory.options : nil)
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
        options.map { InstalledTraffic.Memory(kind: kind, handle: handle, options: $0).restoration(on: interface) }
    }

    /// Kinds whose options, as the kernel reports them, make the same queue again.
    private static let telling: Set<String> = [
        "bfifo", "cake", "codel", "fq", "fq_codel", "fq_pie", "pfifo", "pfifo_fast", "pie", "sfq", "tbf",
    ]

    /// The length in bytes of a kind's name, as IFNAMSIZ of linux/if.h allows: a longer one leaves no room for a mark.
    private static let kindBytes = 1...15

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+_".utf8)

    /// Six bits a character, without padding.
    private static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let number = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
            text += (0...part.count).map { alphabet[Int(number >> (18 - 6 * UInt32($0)) & 63)] }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var number: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            number = number << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(bits)))
            number &= (1 << UInt32(bits)) - 1
        }
        return bytes
    }
}
