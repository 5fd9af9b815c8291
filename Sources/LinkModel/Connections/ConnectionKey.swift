/// The name of a connection that keys its random decisions: the same in the next run, whatever the ports.
package enum ConnectionKey: Sendable, Hashable, CustomStringConvertible {
    /// The path of its first request; `nth` counts connections that began with the same path, from 1.
    case path(String, nth: Int)
    /// The path of a first request for a range that begins at byte `from`; a negative `from` counts from the end.
    ///
    /// `nth` counts connections that began with the same path and byte, from 1. So connections that are opened together
    /// have the same names, in whichever order they are accepted. `place` is what `nth` of ``path(_:nth:)`` would be.
    case range(String, from: Int64, nth: Int, place: Int)
    /// Its place in the order of accepted connections, from 1.
    case order(Int)

    package var description: String {
        switch self {
        case .path(let path, let nth): path + Self.suffix(nth)
        case .range(let path, let from, let nth, _): "\(path)@\(from)" + Self.suffix(nth)
        case .order(let ordinal): "#\(ordinal)"
        }
    }

    /// Another name that schedules may have for it: that of its place among all connections with its path; nil if there
    /// is none.
    package var alias: String? {
        if case .range(let path, _, _, let place) = self { path + Self.suffix(place) } else { nil }
    }

    private static func suffix(_ nth: Int) -> String { nth == 1 ? "" : "#\(nth)" }
}

/// Names the connections of one link, whatever its backend.
///
/// A connection is named by its place in the order of accepted connections until the client's first bytes are there. If
/// these are a plain HTTP request, it is named by that from these bytes on; otherwise it keeps its name.
package struct ConnectionKeys: Sendable {
    /// How many connections began with each request.
    private var counts: [FirstRequest: Int] = [:]
    private let most: Int

    /// Counts at most `most` different requests (default: 65,536); connections with others keep their place in the
    /// order.
    package init(most: Int = 65_536) {
        self.most = most
    }

    /// The key of the `order`-th accepted connection, which begins with `request`.
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

/// The plain HTTP request that a connection begins with.
package struct FirstRequest: Sendable, Hashable {
    /// The path without its query, which may hold secrets and would end up in results; 512 characters at most.
    package var path: String
    /// The first byte of the range that it asks for (RFC 9110 §14.2), or minus the length of a range at the end; nil:
    /// no range.
    package var firstByte: Int64?

    /// The most characters of a path that count; runs are repeatable only as long as this never changes.
    static let longest = 512
    /// Bytes of a request's head that are searched for a range.
    static let mostHead = 8192

    package init(path: String, firstByte: Int64? = nil) {
        (self.path, self.firstByte) = (path, firstByte)
    }

    /// The request that `bytes` begin with; nil if they begin with anything else, or end within its path.
    ///
    /// A range is found only if `bytes` hold its whole line.
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
        // An incomplete path would depend on how the bytes are divided into segments.
        let isWhole = words.count > 2 || target.count < words[1].count || path.count < target.count
        guard isWhole || path.count >= longest, target.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: path.prefix(longest), as: UTF8.self)
    }

    private static func firstByte(of bytes: some Collection<UInt8>) -> Int64? {
        let lines = bytes.prefix(mostHead).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last line is incomplete: more of it may come.
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
