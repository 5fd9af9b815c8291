import Netlink

/// A shorter form of netlink attributes, for where there is little room.
///
/// Each has a type, one byte for a length of four, and a value without the zeros at its end.
enum CompactAttributes {
    /// Packs attributes; nil if unpacking would not give the same bytes.
    static func pack(_ bytes: [UInt8]) -> [UInt8]? {
        var packed: [UInt8] = []
        for attribute in ReceivedAttributes(ReceivedBytes(bytes)).all {
            let value = attribute.value.array
            let kept = value.count - value.reversed().prefix { $0 == 0 }.count
            guard let type = UInt8(exactly: attribute.type), value.count < 255 else { return nil }
            packed.append(type)
            packed += value.count == usual ? [UInt8(kept)] : [other, UInt8(value.count), UInt8(kept)]
            packed += value.prefix(kept)
        }
        return unpack(packed) == bytes ? packed : nil
    }

    /// Unpacks attributes; nil if the bytes are not a packed form.
    static func unpack(_ packed: [UInt8]) -> [UInt8]? {
        var attributes = NetlinkAttributes()
        var rest = packed[...]
        while let type = rest.popFirst() {
            guard let first = rest.popFirst() else { return nil }
            var (count, kept) = (usual, Int(first))
            if first == other {
                guard let length = rest.popFirst(), let there = rest.popFirst() else { return nil }
                (count, kept) = (Int(length), Int(there))
            }
            guard kept <= count, kept <= rest.count else { return nil }
            attributes.add(Int(type), Array(rest.prefix(kept)) + [UInt8](repeating: 0, count: count - kept))
            rest = rest.dropFirst(kept)
        }
        return attributes.bytes
    }

    private static let usual = 4
    private static let other: UInt8 = 255
}
