/// One thing that a host is scripted to do wrong.
package struct HostFault: Hashable, Sendable {
    /// The pack: an identifier, a tag, a file name, `manifest` for the manifest, or `*` for every request.
    package var pack: String
    /// The requests for that pack that it affects, counted from 1; nil, the default, means all.
    package var tries: ClosedRange<Int>?
    /// Limits it to requests for a range that begins at this byte, and `tries` counts only those; nil, the default, does
    /// not.
    ///
    /// A negative number means requests for so many bytes at the end. Requests for ranges that are made at the same
    /// time arrive in any order, so only their first bytes tell them apart.
    package var rangeStart: Int64?
    /// What goes wrong.
    package var action: Action

    /// A fault of `pack` on `tries`.
    package init(pack: String, tries: ClosedRange<Int>? = nil, rangeStart: Int64? = nil, action: Action) {
        self.pack = pack
        self.tries = tries
        self.rangeStart = rangeStart
        self.action = action
    }

    /// How a connection, or a stream of HTTP/2, ends early.
    package enum Cut: String, CaseIterable, Sendable {
        /// Ends the connection in order, with a FIN, as if the response were complete.
        case fin
        /// Ends the connection with a reset.
        case rst
        /// Ends only the stream: RFC 9113 section 6.4.
        case streamReset = "rst-stream"
        /// Ends the connection in order, with a GOAWAY that has the last stream that was begun: RFC 9113 section 6.8.
        case goAway = "goaway"

        /// Whether it is a frame of HTTP/2.
        var isFrame: Bool {
            switch self {
            case .fin, .rst: false
            case .streamReset, .goAway: true
            }
        }
    }

    /// The origin of a redirect's target, if it differs from the request's; RFC 6454 section 4.
    package enum Origin: String, CaseIterable, Sendable {
        /// The same host under another name.
        case otherHost = "other-host"
        /// The same host at another port.
        case otherPort = "other-port"
        /// The same host and port without TLS.
        case plainHTTP = "plain-http"
    }

    /// How the end of a body is marked, RFC 9112 section 6.3.
    package enum Framing: String, CaseIterable, Sendable {
        /// In chunks.
        case chunked
        /// In chunks, with a trailer field after them.
        case trailers
        /// Only by the end of the connection, as in HTTP/1.0.
        case untilClose = "until-close"
    }

    /// How the clock of a host is wrong.
    package enum Clock: String, CaseIterable, Sendable {
        /// One year ahead; modification times of files are a year ahead, too.
        case ahead
        /// The first day of 1970, as without a battery; modification times of files are later.
        case epoch
    }

    /// How a body is encoded, RFC 9110 section 8.4.1.
    package enum ContentCoding: String, CaseIterable, Sendable {
        case gzip
        case br
    }

    /// The value of a Retry-After field, RFC 9110 §10.2.3.
    package enum RetryAfter: Hashable, Sendable {
        /// Whole seconds.
        case seconds(Int64)
        /// An HTTP date, this long after the moment of the response; in the past if negative.
        case date(after: Duration)
    }
}

/// A place in the body of a full response: it counts from the start of the served file, whatever range was requested.
package enum ByteOffset: Hashable, Sendable {
    /// Bytes from the start.
    case bytes(Int64)
    /// A fraction of the body: 0 is its start, 1 its end.
    case fraction(Double)

    /// The place in a body of `length` bytes: 0 to `length`, fractions rounded down.
    package func resolved(in length: Int64) -> Int64 {
        switch self {
        case .bytes(let count): min(max(count, 0), length)
        case .fraction(let part) where part.isNaN || part <= 0: 0
        case .fraction(let part) where part >= 1: length
        case .fraction(let part): min(Int64(Double(length) * part), length)
        }
    }
}

/// A deliberate fault of a TLS host.
package enum TLSFault: String, CaseIterable, Sendable {
    /// Its certificate was valid until yesterday.
    case expired
    /// Its certificate is valid from tomorrow on.
    case notYetValid = "not-yet-valid"
    /// Its certificate is for `wrong.headwind.invalid`.
    case wrongName = "wrong-name"
    /// Its certificate was signed by an unknown authority.
    case unknownAuthority = "unknown-authority"
    /// The connection ends when the host should answer the client's first message.
    case cutHandshake = "cut-handshake"
}
