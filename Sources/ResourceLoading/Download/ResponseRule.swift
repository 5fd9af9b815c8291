/// What a response's head means for a download: a table, without I/O.
enum ResponseRule: Hashable, Sendable {
    /// The body continues the file.
    case append(total: Int64?)
    /// The body is the whole file: the bytes so far are discarded.
    case replace(total: Int64?)
    /// Everything is there already.
    case complete
    /// The bytes so far are useless, for this reason.
    case startOver(String)
    /// The file is at another address.
    case redirect
    /// The response brings no file.
    case fail(DownloadFailure)

    /// Reads the head of an answer to a request for everything from byte `from` on.
    ///
    /// `note` describes the bytes before `from`. See RFC 9110 §14 (ranges) and §15 (status codes).
    init(_ head: ResponseHead, from: Int64, note: PartialNote?, expected: Expectation) {
        if let failure = DownloadFailure(status: head.status) {
            self = .fail(failure)
            return
        }
        switch head.status {
        case 200: self = Self.checked(total: head.contentLength, head, expected) ?? .replace(total: head.contentLength)
        case 206: self = Self.partial(head, from: from, note: note, expected)
        case 416 where from > 0:
            let total = head.contentRange?.total
            if total == from, expected.size ?? from == from {
                self = .complete
            } else {
                self = .startOver("The host has no byte \(from)\(total.map { " of \($0)" } ?? "").")
            }
        case 301, 302, 303, 307, 308: self = .redirect
        default: self = .fail(.init(.badResponse, "The host answered with status \(head.status)."))
        }
    }

    private static func partial(
        _ head: ResponseHead,
        from: Int64,
        note: PartialNote?,
        _ expected: Expectation
    ) -> ResponseRule {
        func unfit(_ text: String) -> ResponseRule { .fail(DownloadFailure(.unfitRange, text)) }
        guard from > 0 else { return unfit("The host sent a range, but the request was for the whole file.") }
        guard let range = head.contentRange, let bytes = range.bytes else {
            return unfit("The host sent a range without a valid Content-Range.")
        }
        guard bytes.lowerBound == from else {
            return unfit("The host sent bytes from \(bytes.lowerBound), but the request was for bytes from \(from).")
        }
        if let length = head.contentLength, length != bytes.upperBound - from + 1 {
            return unfit("The host sent \(length) bytes for a range of \(bytes.upperBound - from + 1).")
        }
        if let old = note?.validator, let new = head.etag, old.hasPrefix("\""), old != new {
            return .startOver("The host's copy changed from \(old) to \(new).")
        }
        if let old = note?.total, let new = range.total, old != new {
            return .startOver("The host's copy changed from \(old) to \(new) bytes.")
        }
        return checked(total: range.total, head, expected) ?? .append(total: range.total ?? note?.total)
    }

    /// The failure if the whole file does not have the expected size; nil if it may be right.
    private static func checked(total: Int64?, _ head: ResponseHead, _ expected: Expectation) -> ResponseRule? {
        guard let total else { return nil }
        if let limit = expected.limit, total > limit {
            return .fail(.init(.wrongLength, "The host offers \(total) bytes; the limit is \(limit)."))
        }
        guard let size = expected.size, total != size else { return nil }
        let text = "The host offers \(total) bytes for a file of \(size)."
        // A page instead of a file comes from something else, such as a captive portal, which may go away.
        if let type = head.contentType, type.hasPrefix("text/") {
            return .fail(.init(.wrongContent, "\(text) It is \(type)."))
        }
        return .fail(.init(.wrongLength, text))
    }

    /// Whether the body belongs in the file.
    var takesBody: Bool {
        switch self {
        case .append, .replace: true
        case .complete, .startOver, .redirect, .fail: false
        }
    }
}

/// What is known of a file before it is downloaded.
struct Expectation: Hashable, Sendable {
    /// Its size in bytes; nil if the manifest does not say.
    var size: Int64?
    /// Its SHA-256 in hex; nil if the manifest does not say.
    var sha256: String?
    /// The most bytes that are accepted; nil for no limit.
    var limit: Int64?
}
