/// Reads the path of a plain HTTP request out of the first bytes of a connection.
package enum RequestPath {
    /// Characters of a path that count; part of what makes a run repeatable.
    static let longest = 512

    /// The path of the request that `bytes` begin with; nil where they begin with anything else, or end within it.
    ///
    /// A query is left out: it may hold secrets, and the path ends up in results.
    package static func path(beginning bytes: some Collection<UInt8>) -> String? {
        let line = bytes.prefix(longest + 16)
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, methods.contains(String(decoding: words[0], as: UTF8.self)),
            words[1].first == UInt8(ascii: "/")
        else { return nil }
        let target = words[1].prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let path = target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        // A path of which more is to come would be another one with other segments.
        let isWhole = words.count > 2 || target.count < words[1].count || path.count < target.count
        guard isWhole || path.count >= longest, target.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: path.prefix(longest), as: UTF8.self)
    }

    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
}
