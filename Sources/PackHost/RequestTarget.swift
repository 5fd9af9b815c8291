import Wording

/// The path that a request asks for, RFC 9112 §3.2.
struct RequestTarget: Hashable, Sendable {
    /// The path as the client wrote it, without its query: a query may hold a secret, and selects nothing here.
    let path: String
    /// The path with its percent escapes decoded once, as bytes.
    let decoded: [UInt8]

    /// Reads a request target in origin form or absolute form; nil if it is neither, or if an escape is malformed.
    init?(_ target: String) {
        var rest = Substring(target)
        if let scheme = rest.firstRange(of: "://"), !rest.hasPrefix("/") {
            guard ["http", "https"].contains(rest[..<scheme.lowerBound].lowercased()) else { return nil }
            rest = rest[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        } else if !rest.hasPrefix("/") {
            return nil
        }
        let path = rest.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        guard let decoded = Self.decoded(self.path) else { return nil }
        self.decoded = decoded
    }

    /// Decodes percent escapes once, RFC 3986 §2.1; nil if one is malformed.
    static func decoded(_ path: String) -> [UInt8]? {
        PercentEncoding.isSound(path) ? PercentEncoding.bytes(of: path) : nil
    }
}
