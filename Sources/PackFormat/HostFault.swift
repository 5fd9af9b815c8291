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
    /// How a connection, or a stream of HTTP/2, ends before its time.
    package enum Cut: String, CaseIterable, Sendable {
        /// The connection, orderly, by a FIN, as if the response were complete.
        case fin
        /// The connection, by a reset.
        case rst
        /// The stream alone: RFC 9113 section 6.4.
        case streamReset = "rst-stream"
        /// The connection, orderly, with the last stream that was begun: RFC 9113 section 6.8.
        case goAway = "goaway"

        /// Whether it is a frame of HTTP/2.
        var isFrame: Bool {
            switch self {
            case .fin, .rst: false
            case .streamReset, .goAway: true
            }
        }
    }

    /// The origin that a redirect leads to, where it is another one than the request's; RFC 6454 section 4.
    package enum Origin: String, CaseIterable, Sendable {
        /// The same host under another name.
        case otherHost = "other-host"
        /// The same host at another port.
        case otherPort = "other-port"
        /// The same host and port without TLS.
        case plainHTTP = "plain-http"
    }

    /// How a body says where it ends, RFC 9112 section 6.3.
    package enum Framing: String, CaseIterable, Sendable {
        /// In chunks.
        case chunked
        /// In chunks, with a trailer field behind them.
        case trailers
        /// Not at all: with the connection, as HTTP/1.0 does.
        case untilClose = "until-close"
    }

    /// What the clock of a host shows that is wrong.
    package enum Clock: String, CaseIterable, Sendable {
        /// A year more: its files were modified in the future, too.
        case ahead
        /// The first day of 1970, as without a battery: its files were modified in its future.
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
        /// An HTTP date, so long after the moment of the response; a negative one is in the past.
        case date(after: Duration)
    }
}
