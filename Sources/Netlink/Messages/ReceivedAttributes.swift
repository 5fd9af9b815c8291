/// Attributes that the kernel has written.
///
/// Whatever lengths they state, nothing after their end is read; an attribute that is not valid ends the list.
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

    /// The last attribute of a type, which the kernel uses if there are several; nil if there is none.
    package subscript(type: Int) -> ReceivedBytes? { all.last { $0.type == type }?.value }

    /// The attributes in the last one of a type; empty if there is none.
    package func nested(_ type: Int) -> ReceivedAttributes {
        ReceivedAttributes(self[type] ?? ReceivedBytes([]))
    }

    private static let headerSize = 4
}
