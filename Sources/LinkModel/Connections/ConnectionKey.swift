/// What names a connection where random decisions are keyed: the same in the next run, whatever the ports.
package enum ConnectionKey: Sendable, Hashable, CustomStringConvertible {
    /// The path of its first request; `nth` counts connections that began with the same path, from 1.
    case path(String, nth: Int)
    /// Its place in the order of accept, from 1.
    case order(Int)

    package var description: String {
        switch self {
        case .path(let path, 1): path
        case .path(let path, let nth): "\(path)#\(nth)"
        case .order(let ordinal): "#\(ordinal)"
        }
    }
}

/// Names the connections of one link, whichever backend it has.
///
/// A connection goes by its place in the order of accept until its first bytes from the client are there. Where these are a
/// plain HTTP request it goes by the path from then on, these bytes included; else it keeps the name that it has.
package struct ConnectionKeys: Sendable {
    /// How many connections began with a path.
    private var counts: [String: Int] = [:]
    private let mostPaths: Int

    /// Beyond so many paths, connections with another one keep their place in the order.
    package init(mostPaths: Int = 65_536) {
        self.mostPaths = mostPaths
    }

    /// The key of the connection that was accepted as the `order`-th, and whose first request is for `path`.
    package mutating func key(path: String, order: Int) -> ConnectionKey {
        guard counts[path] != nil || counts.count < mostPaths else { return .order(order) }
        let nth = counts[path, default: 0] + 1
        counts[path] = nth
        return .path(path, nth: nth)
    }
}

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
