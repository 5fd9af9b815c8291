/// One thing that a host is scripted to do wrong.
package struct HostFault: Hashable, Sendable {
    /// Which pack: an identifier, a tag, a file name, `manifest` for the manifest, or `*` for every request.
    package var pack: String
    /// Which requests for that pack, the first being 1; nil, the default, means every one.
    package var tries: ClosedRange<Int>?
    /// What goes wrong.
    package var action: Action

    /// A fault of `pack` on `tries`.
    package init(pack: String, tries: ClosedRange<Int>? = nil, action: Action) {
        self.pack = pack
        self.tries = tries
        self.action = action
    }
}

extension HostFault {
    /// What a host does wrong.
    ///
    /// Places are in the body of a full response, see ``ByteOffset``.
    package enum Action: Hashable, Sendable {
        /// Answers with this HTTP status and, if given, a Retry-After field.
        case status(Int, retryAfter: RetryAfter?)
        /// Redirects to this URL with this HTTP status.
        case redirect(to: String, status: Int)
        /// Sends the head of the response so much later.
        case lateHead(Duration)
        /// Accepts the request and never sends a head.
        case never
        /// Ends the connection at this place.
        case cut(at: ByteOffset, how: Cut)
        /// Stops sending at this place for so long; nil means for ever.
        case stall(at: ByteOffset, for: Duration?)
        /// Sends so many bytes a second.
        case drip(bytesPerSecond: Int64)
        /// Sends one byte wrongly at this place.
        case corrupt(at: ByteOffset)
        /// States a Content-Length that is wrong by so many bytes, either way.
        case wrongLength(by: Int64)
        /// Answers a range request with the whole body and status 200.
        case ignoreRange
        /// Answers a range request with a range that begins so many bytes off, either way.
        case wrongRange(by: Int64)
        /// States an ETag that differs from the one before.
        case changedETag
        /// Has other bytes than before, so many more or fewer of them, and another ETag: the pack has changed.
        case changedContent(by: Int64)
        /// Has so many bytes more or fewer than before, and says so, with another ETag.
        ///
        /// Those that are there are the same, and zeros follow them.
        case changedSize(by: Int64)
        /// Answers 200 with this text in place of the pack, as a captive portal does.
        case body(String, contentType: String)
        /// Redirects to a page of the host's own, which is this text, with status 200: as a captive portal does, too.
        case portal(String)
    }

    /// How a connection ends before its time.
    package enum Cut: Hashable, Sendable {
        /// Orderly, by a FIN, as if the response were complete.
        case fin
        /// By a reset.
        case rst
    }

    /// The value of a Retry-After field, RFC 9110 §10.2.3.
    package enum RetryAfter: Hashable, Sendable {
        /// Whole seconds.
        case seconds(Int64)
        /// An HTTP date, so long after the moment of the response.
        case date(after: Duration)
    }
}
