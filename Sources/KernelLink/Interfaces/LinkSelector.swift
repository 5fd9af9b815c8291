import Glibc
package import LinuxSupport
package import Netlink

/// Some of an interface's traffic, in both directions: what a shape leaves alone, or what a rule matches.
package enum LinkSelector: Hashable, Sendable, CustomStringConvertible {
    /// Traffic with these addresses; the bits after the prefix are 0.
    case network(InternetAddress, prefixLength: UInt8)
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
            self = .network(address, prefixLength: longest)
            return
        }
        guard let length = UInt8(parts[1]), length <= longest, parts[1].first != "+" else {
            throw unreadable("the prefix after '/' must be 0 to \(longest)")
        }
        let masked = InternetAddress(address.bytes.masked(to: Int(length)))
        guard masked == address else {
            throw unreadable("the address has bits set after its prefix; did you mean \(masked)/\(length)?")
        }
        self = .network(address, prefixLength: length)
    }

    package var description: String {
        switch self {
        case .port(let port): "\(port)"
        case .network(let address, let length):
            "\(address)" + (Int(length) == address.bytes.count * 8 ? "" : "/\(length)")
        case .hardware(let bytes):
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        }
    }

    /// Whether it is a network that has this address.
    func has(_ address: InternetAddress) -> Bool {
        guard case .network(let network, let length) = self else { return false }
        return address.bytes.masked(to: Int(length)) == network.bytes
    }

    /// Whether it matches all traffic that another one matches.
    func covers(_ other: LinkSelector) -> Bool {
        guard case .network(_, let length) = self else { return self == other }
        guard case .network(let others, let otherLength) = other, otherLength >= length else { return false }
        return has(others)
    }

    /// Reads six bytes in hexadecimal digits, as in `02:00:5e:10:00:01`; nil if the text is not that.
    private static func hardwareAddress(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isWritten = parts.allSatisfy { $0.utf8.count == 2 && $0.first != "+" && $0.first != "-" }
        guard parts.count == 6, isWritten else { return nil }
        let bytes = parts.compactMap { UInt8($0, radix: 16) }
        return bytes.count == 6 ? bytes : nil
    }
}

extension InternetAddress {
    /// Its family, as netlink calls it.
    package var family: InternetFamily { isIPv4 ? .v4 : .v6 }
}
