import NIOHTTP1

/// The part of a representation that answers a request.
enum Selection: Hashable, Sendable {
    /// All of it: status 200.
    case whole
    /// These bytes: status 206.
    case part(Range<Int64>)
    /// Nothing, because the client has it: status 304.
    case notModified
    /// Nothing, because the range begins beyond the end: status 416.
    case unsatisfiable
    /// Nothing, because the request is meant for another version: status 412.
    case preconditionFailed

    /// Evaluates a request's conditions and range in the order of RFC 9110 §13.2.2.
    ///
    /// If-Match and If-Unmodified-Since also count for reading: a download with them continues only with the same
    /// version (§13.1.1).
    init(_ request: HTTPRequestHead, size: Int64, tag: EntityTag, modified: HTTPDate, now: HTTPDate) {
        let headers = request.headers
        guard Self.isMeant(headers, tag: tag, modified: modified, now: now) else {
            self = .preconditionFailed
            return
        }
        let known = headers["If-None-Match"]
        if !known.isEmpty {
            if tag.isNamed(in: known.joined(separator: ",")) {
                self = .notModified
                return
            }
        } else if let since = headers.single("If-Modified-Since").flatMap({ HTTPDate(parsing: $0, now: now) }),
            modified <= since
        {
            self = .notModified
            return
        }
        // A range is defined for GET only, RFC 9110 §14.2.
        guard request.method == .GET, let range = headers.single("Range").flatMap(ByteRange.init(field:)),
            Self.rangeHolds(headers, tag: tag, modified: modified, now: now)
        else {
            self = .whole
            return
        }
        switch range.resolved(in: size) {
        case nil: self = .unsatisfiable
        case let bytes? where bytes.isEmpty: self = .whole
        case let bytes?: self = .part(bytes)
        }
    }

    /// Whether If-Match holds or, without it, If-Unmodified-Since, RFC 9110 §13.2.2; an invalid date is ignored.
    private static func isMeant(_ headers: HTTPHeaders, tag: EntityTag, modified: HTTPDate, now: HTTPDate) -> Bool {
        let wanted = headers["If-Match"]
        guard wanted.isEmpty else { return tag.isNamed(in: wanted.joined(separator: ","), strongly: true) }
        let since = headers.single("If-Unmodified-Since").flatMap { HTTPDate(parsing: $0, now: now) }
        return since.map { modified <= $0 } ?? true
    }

    /// Whether the condition of If-Range holds, RFC 9110 §13.1.5; true if there is none.
    ///
    /// A date holds if it equals the modification date and that one is strong: at least a second old (§8.8.2.2). A weak
    /// tag of the host holds if a client sends it back, although it must not: nginx compares texts.
    private static func rangeHolds(_ headers: HTTPHeaders, tag: EntityTag, modified: HTTPDate, now: HTTPDate) -> Bool {
        guard headers.contains(name: "If-Range") else { return true }
        guard let condition = headers.single("If-Range") else { return false }
        if let asked = EntityTag(parsing: condition[...]) {
            return asked.matchesStrongly(tag) || tag.isWeak && asked == tag
        }
        guard let date = HTTPDate(parsing: condition, now: now) else { return false }
        return date == modified && modified < now
    }
}

extension HTTPHeaders {
    /// The value of a field that may occur once; nil if it is absent or occurs more than once.
    func single(_ name: String) -> String? {
        let values = self[name]
        return values.count == 1 ? values[0] : nil
    }
}
