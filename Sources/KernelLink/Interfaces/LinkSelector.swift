import Glibc
import LinuxSupport
package import Netlink

/// Some of an interface's traffic, in both directions: what a shape leaves alone, or what a rule matches.
package enum LinkSelector: Hashable, Sendable, CustomStringConvertible {
    /// Traffic with these addresses; the bits after the prefix are 0.
    case network(InternetFamily, [UInt8], prefixLength: UInt8)
    /// TCP and UDP from and to this port, on either side.
    case port(UInt16)
    /// Traffic with the device that has this hardware (MAC) address, of six bytes.
    case hardware([UInt8])

    /// Why a text is not a selector.
    package struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        let text: String
        package let reason: String

        package var description: String {
            "Could not read \(String(text.prefix(60)).debugDescription) as traffic: \(reason)."
        }
    }

    /// Reads `22`, `10.0.0.0/8`, `192.0.2.7`, `fd00::/8`, `2001:db8::1` or `02:00:00:00:00:01`.
    package init(parsing text: String) throws(Unreadable) {
        func unreadable(_ reason: String) -> Unreadable { Unreadable(text: text, reason: reason) }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard let port = UInt16(text), port > 0 else { throw unreadable("ports go from 1 to 65535") }
            self = .port(port)
            return
        }
        if let bytes = Self.hardwareAddress(text) {
            guard bytes[0] & 1 == 0 else { throw unreadable("it is a multicast address, which no device has") }
            self = .hardware(bytes)
            return
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = InternetAddress(parsing: parts[0]) else {
            throw unreadable(
                "write a port such as 22, an address such as 192.0.2.7, a network such as 10.0.0.0/8, or a MAC address "
                    + "such as 02:00:00:00:00:01")
        }
        let longest = UInt8(address.bytes.count * 8)
        guard parts.count == 2 else {
            self = .network(address.family, address.bytes, prefixLength: longest)
            return
        }
        guard let length = UInt8(parts[1]), length <= longest, parts[1].first != "+" else {
            throw unreadable("the prefix after '/' must be 0 to \(longest)")
        }
        let masked = InternetAddress(family: address.family, bytes: Self.masked(address.bytes, length))
        guard masked == address else {
            throw unreadable("the address has bits set after its prefix; did you mean \(masked)/\(length)?")
        }
        self = .network(address.family, address.bytes, prefixLength: length)
    }

    package var description: String {
        switch self {
        case .port(let port): "\(port)"
        case .network(let family, let bytes, let length):
            "\(InternetAddress(family: family, bytes: bytes))" + (Int(length) == bytes.count * 8 ? "" : "/\(length)")
        case .hardware(let bytes):
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        }
    }

    /// Whether it is a network that has this address.
    func has(_ address: InternetAddress) -> Bool {
        guard case .network(let family, let bytes, let length) = self, family == address.family else { return false }
        return Self.masked(address.bytes, length) == bytes
    }

    /// Whether it matches all traffic that another one matches.
    func covers(_ other: LinkSelector) -> Bool {
        guard case .network(let family, let bytes, let length) = self else { return self == other }
        guard case .network(family, let others, let otherLength) = other, otherLength >= length else { return false }
        return Self.masked(others, length) == bytes
    }

    /// Reads six bytes in hexadecimal digits, as in `02:00:5e:10:00:01`; nil if the text is not that.
    private static func hardwareAddress(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isWritten = parts.allSatisfy { $0.utf8.count == 2 && $0.first != "+" && $0.first != "-" }
        guard parts.count == 6, isWritten else { return nil }
        let bytes = parts.compactMap { UInt8($0, radix: 16) }
        return bytes.count == 6 ? bytes : nil
    }

    private static func masked(_ bytes: [UInt8], _ length: UInt8) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let bits = max(0, min(8, Int(length) - index * 8))
            return byte & UInt8(truncatingIfNeeded: 0xff00 >> bits)
        }
    }
}

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
