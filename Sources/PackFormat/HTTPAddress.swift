import Glibc

/// The parts of an absolute http or https address that decide where a connection goes (RFC 3986 §3.2).
package struct HTTPAddress: Hashable, Sendable {
    /// `http` or `https`.
    package let scheme: String
    /// A name or an address in lower case; an IPv6 address has no brackets.
    package let host: String
    /// 1 to 65,535; if the text has none, 80 for http and 443 for https.
    package let port: Int
    /// Path and query, at least `/`.
    package let target: String

    /// Nil if the text is no absolute http or https address.
    package init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[separator.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        target = rest[end...].first == "/" ? String(rest[end...]) : "/" + rest[end...]
        let tail: Substring
        if authority.first == "[" {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            let name = authority[..<close].dropFirst()
            guard Self.isIPv6(name) else { return nil }
            host = name.lowercased()
            tail = authority[close...].dropFirst()
        } else {
            let name = authority.prefix { $0 != ":" }
            guard Self.isName(name) else { return nil }
            host = name.lowercased()
            tail = authority[name.endIndex...]
        }
        guard !tail.isEmpty else {
            port = scheme == "https" ? 443 : 80
            return
        }
        let digits = tail.dropFirst()
        guard tail.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
            (1...65_535).contains(number)
        else { return nil }
        port = number
    }

    /// Whether every character may be in a name, including escapes and letters beyond ASCII (RFC 3986 §3.2.2).
    private static func isName(_ name: Substring) -> Bool {
        let delimiters = Set(##""#/:<>?@[\]^`{|}"##.utf8)
        return !name.isEmpty && name.utf8.count <= 255
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !delimiters.contains($0) }
    }

    /// Whether this is an IPv6 address, with or without a zone (RFC 6874).
    private static func isIPv6(_ text: Substring) -> Bool {
        var address = in6_addr()
        let number = text.prefix { $0 != "%" }
        return unsafe inet_pton(AF_INET6, String(number), &address) == 1 && text.utf8.allSatisfy { $0 > 0x20 }
    }
}
