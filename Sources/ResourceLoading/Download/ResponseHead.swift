/// The head of an HTTP response, as far as a download needs it.
///
/// It is built line by line as libcurl passes them. A status line starts again, so that the head of a proxy or an
/// interim response does not mix with that of the answer.
package struct ResponseHead: Hashable, Sendable {
    /// The status code; 0 before a status line was read.
    package var status = 0
    /// Content-Length; nil if it is not a plain number.
    package var contentLength: Int64?
    /// Content-Range; nil if it cannot be read (RFC 9110 §14.4).
    package var contentRange: ContentRange?
    /// ETag with its quotes, and with `W/` if it is weak.
    package var etag: String?
    /// Last-Modified as the host wrote it.
    package var lastModified: String?
    /// Content-Type without parameters, in lower case.
    package var contentType: String?
    /// Content-Encoding in lower case; nil for `identity`.
    package var contentEncoding: String?
    /// Proxy-Status, all fields joined by commas (RFC 9209).
    package var proxyStatus: String?

    package init() {}

    /// Takes one line of a head, with or without its line end.
    ///
    /// Unknown fields are ignored.
    package mutating func take(line: String) {
        let line = line.trimmingASCIISpace
        if line.hasPrefix("HTTP/") {
            self = ResponseHead()
            let words = line.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].trimmingASCIISpace
        switch line[..<colon].lowercased() {
        case "content-length": contentLength = Int64(value).flatMap { $0 < 0 ? nil : $0 }
        case "content-range": contentRange = ContentRange(value)
        case "etag": etag = value
        case "last-modified": lastModified = value
        case "content-type": contentType = value.prefix { $0 != ";" }.trimmingASCIISpace.lowercased()
        case "content-encoding": contentEncoding = value.lowercased() == "identity" ? nil : value.lowercased()
        case "proxy-status": proxyStatus = proxyStatus.map { "\($0), \(value)" } ?? value
        default: break
        }
    }

    /// The value for If-Range: a strong ETag, else the date; nil if there is neither (RFC 9110 §13.1.5 forbids weak
    /// ETags).
    ///
    /// A value with a control character is not used: a carriage return in it would begin another field of the next
    /// request.
    package var validator: String? {
        if let etag, etag.hasPrefix("\""), etag.hasSuffix("\""), etag.count > 1, etag.isFieldValue { return etag }
        return lastModified.flatMap { $0.isFieldValue ? $0 : nil }
    }
}

extension StringProtocol {
    /// Whether it may stand in a header field (RFC 9110 §5.5).
    var isFieldValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    /// The text without spaces, tabs and line ends around it.
    var trimmingASCIISpace: String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        var bytes = Array(utf8)[...].drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
