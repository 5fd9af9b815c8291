import FoundationEssentials
import Wording

/// The secrets in what hosts are sent.
package struct HostSecrets {
    package private(set) var values: [String] = []

    /// Headers whose values say nothing of who sends them.
    private static let harmlessHeaders: Set = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection",
        "content-encoding", "content-language", "content-length", "content-type", "date", "expect", "host",
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "origin",
        "pragma", "range", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "via",
    ]
    /// From so many characters on no word of a language is expected.
    private static let longWord = 16

    /// From so many characters on a value that somebody sends on purpose counts as a secret.
    private static let shortSecret = 6

    package init() {}

    /// Has all of them left out of every text that ``Redaction`` answers from now on.
    package func hold() { Redaction.hold(values) }

    /// A line of a head that somebody gives a command, `Name: value`; one without a `:` is none.
    ///
    /// Its value is held whatever its name says, unless that is harmless, or the value so short that it stands in many texts.
    package mutating func add(headerLine line: String) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let (name, value) = (String(line[..<colon]).trimmed, String(line[line.index(after: colon)...]).trimmed)
        add(header: name, value)
        let isHarmless = Self.harmlessHeaders.contains(name.lowercased())
        if !isHarmless, value.count >= Self.shortSecret, !values.contains(value) { values.append(value) }
    }

    /// A value that is a secret whatever it looks like, such as a token.
    package mutating func add(_ secret: String) { values.append(secret) }

    /// A field of a head, whose name may say that its value is a secret.
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
            // A scheme, and what it wants (RFC 9110 §11.4).
            values.append(words[1])
            guard words[0].lowercased() == "basic", let data = Data(base64Encoded: words[1]) else { return }
            add(credentials: String(decoding: data, as: UTF8.self))
        }
    }

    /// `user:password`, or a token in the place of a user.
    private mutating func add(credentials: String) {
        if let colon = credentials.firstIndex(of: ":") {
            values.append(credentials)
            values.append(String(credentials[credentials.index(after: colon)...]))
        } else if Self.looksSecret(credentials) {
            values.append(credentials)
        }
    }

    /// User name and query of an address.
    package mutating func add(url: String) {
        // A proxy may be called without a scheme.
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

    /// Whether a value is more than a word or a number, which would be missed in every text: `games`, `staging`, `20261`.
    private static func looksSecret(_ value: String) -> Bool {
        value.count >= longWord || value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
    }

    /// A text without percent-encoding.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            let value = digits.count == 2 ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
            if byte == UInt8(ascii: "%"), let value {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
