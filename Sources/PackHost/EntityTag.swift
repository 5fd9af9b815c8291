/// A validator of a representation, RFC 9110 §8.8.3.
struct EntityTag: Hashable, Sendable {
    /// The tag without its quotes.
    let opaque: String
    /// Whether equal tags mean only equal meaning, not equal bytes.
    let isWeak: Bool

    /// The tag as it stands in a header field.
    var text: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }

    /// The strong comparison of RFC 9110 §8.8.3.2, for If-Range.
    func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether a field lists this tag, or `*`.
    ///
    /// If-None-Match uses the weak comparison (RFC 9110 §13.1.2), If-Match the strong one (§13.1.1). A tag may contain
    /// a comma, so the field is split at quotes.
    func isNamed(in field: String, strongly: Bool = false) -> Bool {
        var rest = Substring(field)
        while let start = rest.firstIndex(where: { $0 != " " && $0 != "\t" && $0 != "," }) {
            rest = rest[start...]
            if rest.first == "*" { return true }
            let quote = rest.hasPrefix("W/") ? rest.dropFirst(2) : rest
            guard quote.first == "\"", let end = quote.dropFirst().firstIndex(of: "\"") else { return false }
            if let named = EntityTag(parsing: rest[...end]),
                strongly ? named.matchesStrongly(self) : named.opaque == opaque
            {
                return true
            }
            rest = rest[rest.index(after: end)...]
        }
        return false
    }
}

extension EntityTag {
    /// Reads one tag; nil if the text is none.
    init?(parsing text: Substring) {
        let isWeak = text.hasPrefix("W/")
        let quoted = text.dropFirst(isWeak ? 2 : 0)
        guard quoted.utf8.count >= 2, quoted.first == "\"", quoted.last == "\"" else { return nil }
        let opaque = quoted.dropFirst().dropLast()
        guard !opaque.contains("\"") else { return nil }
        self.init(opaque: String(opaque), isWeak: isWeak)
    }
}
