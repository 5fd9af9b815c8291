import Glibc
package import Netlink

/// Traffic that a shape on an interface leaves alone, in both directions.
package enum LinkException: Hashable, Sendable, CustomStringConvertible {
    /// What is exchanged with these addresses; the bytes behind the prefix are 0.
    case network(InternetFamily, [UInt8], prefixLength: UInt8)
    /// TCP and UDP from and to this port, whichever side has it.
    case port(UInt16)

    /// Why a text is none.
    package struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Reads `22`, `10.0.0.0/8`, `192.0.2.7`, `fd00::/8` or `2001:db8::1`.
    package init(parsing text: String) throws(Unreadable) {
        func unreadable(_ reason: String) -> Unreadable {
            let shown = String(text.prefix(60)).debugDescription
            return Unreadable(description: "Could not except \(shown): \(reason).")
        }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard let port = UInt16(text), port > 0 else { throw unreadable("ports go from 1 to 65535") }
            self = .port(port)
            return
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = InternetAddress(parsing: parts[0]) else {
            throw unreadable("write a port such as 22, an address such as 192.0.2.7, or a network such as 10.0.0.0/8")
        }
        let longest = UInt8(address.bytes.count * 8)
        guard parts.count == 2 else {
            self = .network(address.family, address.bytes, prefixLength: longest)
            return
        }
        guard let length = UInt8(parts[1]), length <= longest, parts[1].first != "+" else {
            throw unreadable("behind the '/' a prefix is 0 to \(longest)")
        }
        let masked = InternetAddress(family: address.family, bytes: Self.masked(address.bytes, length))
        guard masked == address else {
            throw unreadable("the address has bits behind its prefix; did you mean \(masked)/\(length)?")
        }
        self = .network(address.family, address.bytes, prefixLength: length)
    }

    package var description: String {
        switch self {
        case .port(let port): "\(port)"
        case .network(let family, let bytes, let length):
            "\(InternetAddress(family: family, bytes: bytes))" + (Int(length) == bytes.count * 8 ? "" : "/\(length)")
        }
    }

    /// Whether an address is one of them.
    func has(_ address: InternetAddress) -> Bool {
        guard case .network(let family, let bytes, let length) = self, family == address.family else { return false }
        return Self.masked(address.bytes, length) == bytes
    }

    private static func masked(_ bytes: [UInt8], _ length: UInt8) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let bits = max(0, min(8, Int(length) - index * 8))
            return byte & UInt8(truncatingIfNeeded: 0xff00 >> bits)
        }
    }
}
