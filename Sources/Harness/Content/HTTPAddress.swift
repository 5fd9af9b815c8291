/// The parts of an absolute http or https address that decide where a connection goes.
struct HTTPAddress: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int
    /// Path and query, at least `/`.
    let target: String

    /// Nil where the text is no absolute http or https address.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[separator.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end].split(separator: "@").last ?? ""
        target = rest[end...].first == "/" ? String(rest[end...]) : "/" + rest[end...]
        let name: Substring
        if authority.first == "[", let close = authority.firstIndex(of: "]") {
            name = authority[authority.index(after: authority.startIndex)..<close]
        } else {
            name = authority.prefix { $0 != ":" }
        }
        let tail = authority[name.endIndex...].drop { $0 == "]" }
        guard !name.isEmpty else { return nil }
        host = name.lowercased()
        if tail.first == ":" {
            guard let number = Int(tail.dropFirst()), (1...65_535).contains(number) else { return nil }
            port = number
        } else {
            guard tail.isEmpty else { return nil }
            port = scheme == "https" ? 443 : 80
        }
    }
}
