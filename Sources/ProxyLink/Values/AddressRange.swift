internal import LinuxSupport

/// A range of addresses with a common prefix (RFC 4632 §3.1): `192.0.2.0/24`, `2001:db8::/32`, or one address alone.
package struct AddressRange: Sendable, Hashable {
    private let bytes: [UInt8]
    private let bits: Int

    /// Reads an address or a prefix; throws if the text is neither.
    package init(parsing text: String) throws(AddressRangeError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let raw = SocketName(String(parts[0]), port: 0)?.address else {
            throw AddressRangeError(text: text, reason: "'\(parts[0])' is not an address")
        }
        let most = raw.count * 8
        guard parts.count == 2 else {
            (bytes, bits) = (raw, most)
            return
        }
        guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let bits = Int(parts[1]), bits <= most else {
            throw AddressRangeError(text: text, reason: "'\(parts[1])' is not a number of bits from 0 to \(most)")
        }
        (self.bytes, self.bits) = (raw, bits)
    }

    /// Whether an address is in the range; an IPv4-mapped IPv6 address counts as its IPv4 address.
    package func contains(_ host: String) -> Bool {
        InternetAddress(parsing: host)?.connected.bytes.masked(to: bits) == bytes.masked(to: bits)
    }

    /// Whether `host` is a loopback address; false for a name.
    package static func isLoopback(_ host: String) -> Bool {
        InternetAddress(parsing: host)?.connected.isLoopback == true
    }
}

/// The reason why a text is not an ``AddressRange``.
package struct AddressRangeError: Error, Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package let reason: String

    package var description: String {
        "Could not read '\(text)' as a range of addresses: \(reason). Write for example 192.0.2.0/24 or 2001:db8::/32."
    }
}
