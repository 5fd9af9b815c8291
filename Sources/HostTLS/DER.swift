/// The few forms of ASN.1's distinguished encoding that a certificate needs, ITU-T X.690.
enum DER {
    /// One element: tag, length, content.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, Array(parts.joined())) }

    static func set(_ part: [UInt8]) -> [UInt8] { element(0x31, part) }

    /// A non-negative integer by its big-endian bytes.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let significant = Array(bytes.drop { $0 == 0 })
        let first = significant.first ?? 0x80
        return element(0x02, (first >= 0x80 ? [0] : []) + significant)
    }

    static let yes = element(0x01, [0xff])

    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    /// A bit string whose last byte leaves `unused` bits unused.
    static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + bytes) }

    static func utf8(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }

    /// An element of a tag that its context gives a meaning to; around other elements it is `constructed`.
    static func context(_ number: UInt8, constructed: Bool = false, _ content: [UInt8]) -> [UInt8] {
        element(0x80 | (constructed ? 0x20 : 0) | number, content)
    }

    /// An object identifier by its arcs.
    static func identifier(_ arcs: Int...) -> [UInt8] {
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs[2...] {
            var septets = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                septets.insert(0x80 | UInt8(rest & 0x7f), at: 0)
                rest >>= 7
            }
            content += septets
        }
        return element(0x06, content)
    }
}
