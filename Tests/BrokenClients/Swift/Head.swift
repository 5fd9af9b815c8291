import Foundation

/// The head of an answer.
struct Head {
    private(set) var status = 0
    /// By names in lower case.
    private(set) var fields: [String: String] = [:]

    /// Takes in a line; one that begins an answer forgets those before.
    mutating func add(_ line: String) {
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            fields = [:]
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
            fields[line[..<colon].lowercased()] = value
        }
    }

    /// Where a redirect leads from an address; nil of any other answer.
    func target(from url: String) -> String? {
        guard [301, 302, 303, 307, 308].contains(status), let location = fields["location"] else { return nil }
        return URL(string: location, relativeTo: URL(string: url))?.absoluteString
    }

    /// Bytes that the body is announced to have; nil where unknown.
    var length: Int64? { fields["transfer-encoding"] == nil ? fields["content-length"].flatMap { Int64($0) } : nil }

    /// Where its range begins, and the size of the whole; nil each where it does not say.
    var range: (from: Int64?, total: Int64?) {
        let words = (fields["content-range"] ?? "").split { " -/".contains($0) }
        guard words.count == 4, words[0] == "bytes" else { return (nil, nil) }
        return (Int64(words[1]), Int64(words[3]))
    }

    /// What tells this edition of the file from others.
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

    /// What a proxy says of the way to the host (RFC 9209, section 2.3).
    var proxyRefusal: Failure.Kind {
        let said = fields["proxy-status"] ?? ""
        let kinds: [(String, Failure.Kind)] = [
            ("destination_ip_unroutable", .offline), ("dns_error", .noName), ("dns_timeout", .timedOut),
            ("connection_timeout", .timedOut), ("connection_refused", .refused), ("connection_terminated", .lost),
        ]
        return kinds.first { said.contains("error=\($0.0)") }?.1 ?? .badAnswer
    }
}
