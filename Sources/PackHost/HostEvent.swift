/// Something that happened at a host, on one connection.
///
/// This is the only declaration of a host's events: lines of `events.jsonl` are its encoding, and
/// `docs/reference/events.md` has the comments from here.
package struct HostEvent: Hashable, Sendable, Encodable {
    /// When it happened: CLOCK_MONOTONIC, nanoseconds.
    package let nanoseconds: Int64
    /// The connection's number: order of accept, the first being 1; 0: the host itself.
    package let connection: Int
    /// What happened.
    package let kind: Kind

    private enum CodingKeys: String, CodingKey {
        case nanoseconds = "t"
        case connection
        case kind = "event"
    }

    /// What can happen.
    ///
    /// On one connection requests never overlap: everything between a ``request(_:)`` and its ``finished(_:)`` belongs
    /// to it.
    package enum Kind: Hashable, Sendable, Encodable {
        /// A connection was accepted.
        ///
        /// - Parameters:
        ///   - peer: The address that it comes from.
        ///   - port: The port that it comes from.
        ///   - congestionControl: The name of its congestion control; absent if the socket does not report it.
        case opened(peer: String, port: Int, congestionControl: String? = nil)
        /// The head of a request has arrived.
        case request(HostRequest)
        /// A scripted fault applies to the response.
        ///
        /// - Parameters:
        ///   - line: One line, such as `L1 GET /a.zip from=0 try=1 cut@524288`.
        case fault(line: String)
        /// The head of a response has been passed to the kernel.
        ///
        /// - Parameters:
        ///   - length: What Content-Length states, in bytes; absent without it.
        case head(status: Int, length: Int64?)
        /// A response has ended.
        case finished(HostTransfer)
        /// A pack's file differs from what the site lists, or could not be read. The response is 500.
        ///
        /// - Parameters:
        ///   - reason: What was wrong.
        case fileFault(reason: String)
        /// A request could not be read and was answered with this status; the connection ends.
        case refused(status: Int, reason: String)
        /// The connection has ended.
        case closed(HostConnectionEnd)
        /// The listening socket failed, and no further connection will be accepted.
        case listenerFailed(reason: String)
    }
}

/// A request that a host has read.
package struct HostRequest: Hashable, Sendable, Encodable {
    /// The method, such as `GET`.
    package let method: String
    /// The path as the client wrote it, without a query.
    package let path: String
    /// What is at the path: a pack's identifier, `manifest` or `tag-table`; nil if nothing is.
    package let pack: String?
    /// Which request for that pack this is, the first being 1; nil if nothing is at the path.
    package let number: Int?
    /// The Range field as the client wrote it.
    package let range: String?
    /// The scheme, name and port that the client requested, such as `http://127.0.0.1:8080`; nil without a Host field.
    package var origin: String?
    /// The names of its fields `authorization` and `cookie`, without values; nil if it has neither.
    package var credentials: String?
    /// `HTTP/2`; nil for HTTP/1.
    package var httpVersion: String?

    private enum CodingKeys: String, CodingKey {
        case method, path, pack, range, origin, credentials
        case httpVersion = "http_version"
        case number = "try"
    }

    /// The first and the last byte of the range that it asks for; the last is `Int64.max` for the end.
    ///
    /// Nil if it asks for no range, or for bytes at the end.
    package var requestedBytes: ClosedRange<Int64>? {
        guard case .span(let first, let last)? = range.flatMap(ByteRange.init(field:)) else { return nil }
        return first...(last ?? .max)
    }
}

/// How much of a response went out, and how it ended.
///
/// Bytes are those of the body.
package struct HostTransfer: Hashable, Sendable, Encodable {
    /// The status of the response; nil where no head was sent.
    package let status: Int?
    /// Where in the file the body begins.
    package let from: Int64
    /// Bytes that the response would have had without a cut.
    package let planned: Int64
    /// Bytes that were handed to the kernel (or to TLS).
    ///
    /// Of a response that the client ended, the last block, up to 256 KiB, is not counted.
    package let handed: Int64
    /// Bytes that the kernel held and the client had not acknowledged at the end (SIOCOUTQ, tcp(7)), with TLS those of
    /// its records; nil where the socket was gone.
    package let unacknowledged: Int64?
    /// How it ended.
    package let cause: Cause

    /// How a response ends.
    package enum Cause: Hashable, Sendable, Encodable {
        /// The whole response was sent.
        case complete
        /// The script cut the connection.
        ///
        /// - Parameters:
        ///   - reset: Whether it was reset, rather than closed in order.
        case cut(reset: Bool)
        /// The script ended only the HTTP/2 stream, by RST_STREAM.
        case streamReset
        /// The script ended the HTTP/2 connection, by GOAWAY.
        case goAway
        /// The client closed the connection before the end.
        case clientClosed
        /// The client acknowledged nothing before the deadline.
        case writeStall
        /// The pack's file differs from what the site lists, or could not be read.
        case fileFault(reason: String)
        /// The host was closed.
        case hostClosed
    }
}

/// How a connection ended, and what went over it at the socket: heads, bodies and, with TLS, its records.
package struct HostConnectionEnd: Hashable, Sendable, Encodable {
    /// Why it ended.
    package let cause: Cause
    /// Bytes received.
    package let received: Int64
    /// Bytes handed to the kernel.
    package let sent: Int64

    /// Why a connection ends.
    package enum Cause: Hashable, Sendable, Encodable {
        /// The client ended it.
        case client
        /// The host ended it, after a response that announced it or after a scripted cut.
        case host
        /// No request came until the idle deadline.
        case idle
        /// A request's head was not complete at its deadline.
        case head
        /// A response made no progress until its deadline.
        case writeStall
        /// The network or TLS failed; the text says how.
        case failed(reason: String)
    }
}
