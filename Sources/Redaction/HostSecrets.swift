import FoundationEssentials
import Wording

/// The secrets in requests to hosts.
package struct HostSecrets {
    package private(set) var values: [String] = []

    /// Headers whose values do not identify the sender.
    private static let harmlessHeaders: Set = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection",
        "content-encoding", "content-language", "content-length", "content-type", "date", "expect", "host",
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "origin",
        "pragma", "range", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "via",
    ]
    /// The number of characters from which a value is not expected to be a word.
    private static let longWord = 16

    /// The number of characters from which the value of a header that the user gives counts as a secret.
    private static let shortSecret = 6

    package init() {}

    /// Removes all of them from every later text of ``Redaction``.
    package func hold() { Redaction.hold(values) }

    /// Adds a header line that the user gives to a command, `Name: value`; ignores one without a `:`.
    ///
    /// The value is held whatever the name is, unless the header is harmless or the value is short and so occurs in
    /// many texts.
    package mutating func add(headerLine line: String) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let (name, value) = (String(line[..<colon]).trimmed, String(line[line.index(after: colon)...]).trimmed)
        add(header: name, value)
        let isHarmless = Self.harmlessHeaders.contains(name.lowercased())
        if !isHarmless, value.count >= Self.shortSecret, !values.contains(value) { values.append(value) }
    }

    /// Adds a value that is a secret in any form, such as a token.
    package mutating func add(_ secret: String) { values.append(secret) }

    /// Adds a header, whose name may mark its value as a secret.
    package mutating func add(header name: String, _ value: String) {
        let value = value.trimmed
        guard !Self.harmlessHeaders.contains(name.lowercased()) else { return }
        guard Redaction.isSecret(name) else {
            if Self.looksSecret(value) { values.append(value) }
            return
        }
        values.append(value)
        let words = value.split(separator: " ").map(String.init)
        if name.lowercased().hasSuffix("cookie") {
            for pair in value.split(separator: ";") {
                if let equals = pair.firstIndex(of: "=") { values.append(String(pair[pair.index(after: equals)...])) }
            }
        } else if words.count == 2 {
            // A scheme and its credentials (RFC 9110 §11.4).
            values.append(words[1])
            guard words[0].lowercased() == "basic", let data = Data(base64Encoded: words[1]) else { return }
            add(credentials: String(decoding: data, as: UTF8.self))
        }
    }

    /// Adds `user:password`, or a token instead of a user.
    private mutating func add(credentials: String) {
        if let colon = credentials.firstIndex(of: ":") {
            values.append(credentials)
            values.append(String(credentials[credentials.index(after: colon)...]))
        } else if Self.looksSecret(credentials) {
            values.append(credentials)
        }
    }

    /// Adds the user name and the query of an address.
    package mutating func add(url: String) {
        // The address of a proxy may have no scheme.
        let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
        let authority = rest.prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") {
            let user = String(authority[..<at])
            add(credentials: user)
            if user.contains("%") { add(credentials: Self.decoded(user)) }
        }
        guard let mark = rest.firstIndex(of: "?") else { return }
        let query = rest[rest.index(after: mark)...].prefix { $0 != "#" }
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isNamed = parts.count == 2 && Redaction.isSecret(parts[0])
            guard let value = parts.last, isNamed || Self.looksSecret(value) else { continue }
            values.append(value)
            if value.contains("%") { values.append(Self.decoded(value)) }
        }
    }

    /// Whether a value is more than a word or a number, such as `games`, `staging`, `20261`, which must stay in texts.
    private static func looksSecret(_ value: String) -> Bool {
        value.count >= longWord || value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
    }

    /// A text without percent-encoding.
    private static func decoded(_ text: String) -> String {
        String(decoding: PercentEncoding.bytes(of: text), as: UTF8.self)
    }
}
