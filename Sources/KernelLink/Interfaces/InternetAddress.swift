import Glibc
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
        for family in InternetFamily.allCases {
            var bytes = [UInt8](repeating: 0, count: family.addressSize)
            if inet_pton(family == .v4 ? AF_INET : AF_INET6, text, &bytes) == 1 {
                self.init(family: family, bytes: bytes)
                return
            }
        }
        return nil
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let number = family == .v4 ? AF_INET : AF_INET6
        guard inet_ntop(number, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
