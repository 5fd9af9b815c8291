/// What names a connection where random decisions are keyed: the same in the next run, whatever the ports.
package enum ConnectionKey: Sendable, Hashable, CustomStringConvertible {
    /// The path of its first request; `nth` counts connections that began with the same path, from 1.
    case path(String, nth: Int)
    /// The same where the first request asks for a range, which begins at this byte, or so many bytes before the end where it is
    /// negative.
    ///
    /// `nth` counts connections that began with the same path and byte, from 1: so those that are opened together have the same
    /// names in whichever order they are accepted. `place` is what `nth` of ``path(_:nth:)`` would be.
    case range(String, from: Int64, nth: Int, place: Int)
    /// Its place in the order of accept, from 1.
    case order(Int)

    package var description: String {
        switch self {
        case .path(let path, let nth): path + Self.suffix(nth)
        case .range(let path, let from, let nth, _): "\(path)@\(from)" + Self.suffix(nth)
        case .order(let ordinal): "#\(ordinal)"
        }
    }

    /// The other name that schedules may have for it: that of its place among all connections with its path; nil where it has one.
    package var alias: String? {
        if case .range(let path, _, _, let place) = self { path + Self.suffix(place) } else { nil }
    }

    private static func suffix(_ nth: Int) -> String { nth == 1 ? "" : "#\(nth)" }
}

/// Names the connections of one link, whichever backend it has.
///
/// A connection goes by its place in the order of accept until its first bytes from the client are there. Where these are a
/// plain HTTP request it goes by that from then on, these bytes included; else it keeps the name that it has.
package struct ConnectionKeys: Sendable {
    /// How many connections began with a request.
    private var counts: [FirstRequest: Int] = [:]
    private let most: Int

    /// Beyond so many different requests, connections with another one keep their place in the order.
    package init(most: Int = 65_536) {
        self.most = most
    }

    /// The key of the connection that was accepted as the `order`-th, and that begins with `request`.
    package mutating func key(for request: FirstRequest, order: Int) -> ConnectionKey {
        var whole = request
        whole.firstByte = nil
        guard let place = count(whole) else { return .order(order) }
        guard let from = request.firstByte, let nth = count(request) else { return .path(request.path, nth: place) }
        return .range(request.path, from: from, nth: nth, place: place)
    }

    private mutating func count(_ request: FirstRequest) -> Int? {
        guard counts[request] != nil || counts.count < most else { return nil }
        counts[request, default: 0] += 1
        return counts[request]
    }
}

/// What the first bytes of a connection ask for, where they are a plain HTTP request.
package struct FirstRequest: Sendable, Hashable {
    /// Without its query, which may hold secrets, as the path ends up in results; 512 characters at most.
    package var path: String
    /// The first byte of the range that it asks for (RFC 9110 §14.2), or minus the number of bytes at the end; nil: no range.
    package var firstByte: Int64?

    /// Characters of a path that count; part of what makes a run repeatable.
    static let longest = 512
    /// Bytes of a head in which a range is looked for.
    static let mostHead = 8192

    package init(path: String, firstByte: Int64? = nil) {
        (self.path, self.firstByte) = (path, firstByte)
    }

    /// The request that `bytes` begin with; nil where they begin with anything else, or end within its path.
    ///
    /// A range is found only where `bytes` hold its whole line.
    package init?(beginning bytes: some Collection<UInt8>) {
        guard let path = Self.path(beginning: bytes) else { return nil }
        self.init(path: path, firstByte: Self.firstByte(of: bytes))
    }

    private static func path(beginning bytes: some Collection<UInt8>) -> String? {
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

    private static func firstByte(of bytes: some Collection<UInt8>) -> Int64? {
        let lines = bytes.prefix(mostHead).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last one has no end: more of it may be to come.
        for line in lines.dropFirst().dropLast() {
            if line.first == UInt8(ascii: "\r") || line.isEmpty { return nil }
            let field = String(decoding: line, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
            guard field.hasPrefix(rangeField) else { continue }
            let range = field.dropFirst(rangeField.count).prefix { $0 != "," }
            let digits = range.prefix { $0.isASCII && $0.isNumber }
            if digits.isEmpty, range.first == "-" { return Int64(range) }
            return digits.endIndex < range.endIndex && range[digits.endIndex] == "-" ? Int64(digits) : nil
        }
        return nil
    }

    private static let rangeField = "range:bytes="
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
}
