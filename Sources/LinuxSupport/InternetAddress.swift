/// An address of IPv4 or IPv6.
package struct InternetAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes, in network order.
    package let bytes: [UInt8]

    /// Takes 4 or 16 bytes; an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) becomes the IPv4 address that is on the
    /// wire.
    package init(_ bytes: [UInt8]) {
        precondition([4, 16].contains(bytes.count), "an address has 4 or 16 bytes")
        let isMapped = bytes.count == 16 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Reads an address, as inet_pton(3) does; nil if the text is not one.
    package init?(parsing text: String) {
        guard let name = SocketName(text, port: 0) else { return nil }
        self.init(name.address)
    }

    /// Whether it has 4 bytes.
    package var isIPv4: Bool { bytes.count == 4 }

    /// Whether it is 0.0.0.0 or ::, which listens at all addresses, and connects to loopback.
    package var isWildcard: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether it is in 127.0.0.0/8 or is ::1.
    package var isLoopback: Bool {
        isIPv4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// Whether it is in 169.254.0.0/16 (RFC 3927) or fe80::/10 (RFC 4291 §2.5.6).
    package var isLinkLocal: Bool {
        isIPv4 ? bytes[0...1] == [169, 254] : bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
    }

    package var description: String { SocketName(address: bytes, port: 0).addressText }
}

extension [UInt8] {
    /// The first bits, followed by zeros.
    package func masked(to bits: Int) -> [UInt8] {
        enumerated().map { $1 & UInt8(truncatingIfNeeded: 0xff00 >> Swift.max(0, Swift.min(8, bits - $0 * 8))) }
    }
}
