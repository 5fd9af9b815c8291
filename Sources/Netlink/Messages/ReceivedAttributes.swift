/// Attributes that the kernel has written.
///
/// Whatever they say of their lengths, nothing behind their end is read; where one cannot be as it is, the rest is left out.
package struct ReceivedAttributes: Sendable {
    package struct Attribute: Sendable {
        package let type: Int
        package let value: ReceivedBytes
    }

    package private(set) var all: [Attribute] = []

    package init(_ bytes: ReceivedBytes) {
        var offset = 0
        while let length = bytes.integer(at: offset, as: UInt16.self).map(Int.init),
            let type = bytes.integer(at: offset + 2, as: UInt16.self),
            length >= Self.headerSize, let value = bytes[offset + Self.headerSize..<offset + length]
        {
            // The two highest bits say how it is written: NLA_F_NESTED, NLA_F_NET_BYTEORDER.
            all.append(Attribute(type: Int(type & 0x3fff), value: value))
            offset += (length + 3) & ~3
        }
    }

    /// The last one of a type, as the kernel takes it where there are several.
    package subscript(type: Int) -> ReceivedBytes? { all.last { $0.type == type }?.value }

    /// What the last one of a type consists of; nothing where there is none.
    package func nested(_ type: Int) -> ReceivedAttributes {
        ReceivedAttributes(self[type] ?? ReceivedBytes([]))
    }

    private static let headerSize = 4
}
