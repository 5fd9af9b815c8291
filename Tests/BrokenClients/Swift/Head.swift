import Foundation

/// The head of a response.
struct Head {
    private(set) var status = 0
    /// The header fields, by names in lower case.
    private(set) var fields: [String: String] = [:]

    /// Adds a line.
    ///
    /// A status line discards the head before it.
    mutating func add(_ line: String) {
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            fields = [:]
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
            fields[line[..<colon].lowercased()] = value
        }
    }

    /// The address where a redirect of `url` leads, or nil for any other response.
    func target(from url: String) -> String? {
        guard [301, 302, 303, 307, 308].contains(status), let location = fields["location"] else { return nil }
        return URL(string: location, relativeTo: URL(string: url))?.absoluteString
    }

    /// The announced bytes of the body, or nil if unknown.
    var length: Int64? { fields["transfer-encoding"] == nil ? fields["content-length"].flatMap { Int64($0) } : nil }

    /// The first byte of the range and the file's size, or nil if not given.
    var range: (from: Int64?, total: Int64?) {
        let words = (fields["content-range"] ?? "").split { " -/".contains($0) }
        guard words.count == 4, words[0] == "bytes" else { return (nil, nil) }
        return (Int64(words[1]), Int64(words[3]))
    }

    /// The validator of this edition of the file (ETag or Last-Modified), or nil.
    var validator: String? {
        if let tag = fields["etag"], tag.hasPrefix("\"") { return tag }
        return fields["last-modified"]
    }

    var retryAfter: Double? {
        guard let text = fields["retry-after"] else { return nil }
        if let seconds = Double(text) { return seconds }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text).map { max(0, $0.timeIntervalSinceNow) }
    }

    /// The failure for the error in a proxy's Proxy-Status (RFC 9209, section 2.3).
    var proxyRefusal: Failure.Kind {
        let said = fields["proxy-status"] ?? ""
        let kinds: [(String, Failure.Kind)] = [
            ("destination_ip_unroutable", .offline), ("dns_error", .noName), ("dns_timeout", .timedOut),
            ("connection_timeout", .timedOut), ("connection_refused", .refused), ("connection_terminated", .lost),
        ]
        return kinds.first { said.contains("error=\($0.0)") }?.1 ?? .badAnswer
    }
}
