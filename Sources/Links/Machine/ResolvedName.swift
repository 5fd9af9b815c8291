import LinuxSupport

/// A name with a fixed address, which no resolver is asked for: `staging.example:192.0.2.7`, as in curl(1)'s
/// `--resolve`.
package struct ResolvedName: Hashable, Sendable {
    /// The name in lower case.
    package let name: String
    /// An IPv4 address, or an IPv6 address without brackets.
    package let address: String

    /// The form in which it is read.
    package var text: String { "\(name):\(address)" }

    /// Reads `NAME:ADDRESS`; an IPv6 address may have brackets.
    package init(parsing text: String) throws(Refusal) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw Refusal(text: text, reason: "it has no ':'") }
        name = parts[0].lowercased()
        guard Self.isName(name) else { throw Refusal(text: text, reason: "'\(parts[0])' is not a host name") }
        guard name != "localhost", !name.hasSuffix(".localhost") else {
            throw Refusal(text: text, reason: "every client resolves '\(parts[0])' to its own loopback")
        }
        let isBracketed = parts[1].hasPrefix("[") && parts[1].hasSuffix("]")
        address = isBracketed ? String(parts[1].dropFirst().dropLast()) : parts[1]
        let isIPv6 = address.contains(":")
        guard SocketName(anyForm: address) != nil, isIPv6 || !isBracketed else {
            let hasPort = parts[1].prefix { $0 != ":" }.utf8.allSatisfy { (0x30...0x39).contains($0) } && isIPv6
            throw Refusal(
                text: text,
                reason: hasPort
                    ? "the address applies to all ports, so leave the port out"
                    : "'\(parts[1])' is not an IPv4 or IPv6 address")
        }
    }

    /// Why a text cannot be read.
    package struct Refusal: Error, Hashable, CustomStringConvertible {
        let text: String
        let reason: String

        package var description: String {
            "Could not read '\(text)' as NAME:ADDRESS: \(reason). Write for example staging.example:192.0.2.7 or "
                + "staging.example:2001:db8::7."
        }
    }

    /// Whether a text is a host name by RFC 1123, or one with underscores, and not an address.
    private static func isName(_ text: String) -> Bool {
        let isMade = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (0x30...0x39).contains(byte)
                || "-._".utf8.contains(byte)
        }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return isMade && text.utf8.count <= 253 && labels.allSatisfy { (1...63).contains($0.count) }
            && SocketName(anyForm: text) == nil
    }
}
