import LinuxSupport
package import Netlink

/// An address of IPv4 or IPv6.
package struct InternetAddress: Hashable, Sendable, CustomStringConvertible {
    package let family: InternetFamily
    /// In network byte order.
    package let bytes: [UInt8]

    package init(family: InternetFamily, bytes: [UInt8]) {
        precondition(bytes.count == family.addressSize, "an address has 4 or 16 bytes")
        // An IPv4-mapped IPv6 address is an IPv4 address on the wire.
        let isMapped = family == .v6 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        (self.family, self.bytes) = isMapped ? (.v4, Array(bytes.suffix(4))) : (family, bytes)
    }

    /// Reads an address, as inet_pton(3) does; nil if the text is not one.
    package init?(parsing text: String) {
        guard let bytes = SocketName(text, port: 0)?.address else { return nil }
        self.init(family: bytes.count == 4 ? .v4 : .v6, bytes: bytes)
    }

    package var description: String { SocketName(address: bytes, port: 0).addressText }
}
