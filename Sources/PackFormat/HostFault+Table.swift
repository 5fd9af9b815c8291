// The faults of the host, each with its full declaration: this file grows with the number of faults.

extension HostFault {
    /// What a host does wrong.
    ///
    /// Places are in the body of a full response, see ``ByteOffset``.
    package enum Action: Hashable, Sendable {
        /// Answers with this HTTP status and, if given, a Retry-After field.
        case status(Int, retryAfter: RetryAfter?)
        /// Redirects to this URL with this HTTP status.
        ///
        /// With an origin, the URL is a path, a query, or both, and becomes an absolute address of that origin. If the
        /// site serves nothing at the path, the host serves the pack there too, and does not redirect that path to
        /// itself.
        case redirect(to: String, status: Int, origin: Origin? = nil)
        /// Sends the head of the response this much later.
        case lateHead(Duration)
        /// Accepts the request and never sends a head.
        case never
        /// Ends the connection, or only its stream of HTTP/2, at this place.
        case cut(at: ByteOffset, how: Cut)
        /// Stops sending at this place for this long; nil means until the connection ends.
        case stall(at: ByteOffset, for: Duration?)
        /// Sends this many bytes per second.
        case drip(bytesPerSecond: Int64)
        /// Sends the byte at this place with its lowest bit flipped.
        case corrupt(at: ByteOffset)
        /// States a Content-Length that is wrong by this many bytes, either way.
        case wrongLength(by: Int64)
        /// States a Content-Length that is 2^32 more than the number of bytes up to this place.
        ///
        /// A client that keeps lengths in 32 bits takes the body for complete there.
        case wrappedLength(at: ByteOffset)
        /// Marks the end of the body by other means than Content-Length, RFC 9112 section 6.3.
        case framing(Framing)
        /// Sends the body with a content coding that the request did not ask for, RFC 9110 section 8.4.
        case encoding(ContentCoding)
        /// Answers a range request with the whole body and status 200.
        case ignoreRange
        /// Answers a range request with only the range and status 200, as if it were the whole body.
        case rangeAsWhole
        /// Answers a range request with a range that begins this many bytes later, or earlier if negative.
        case wrongRange(by: Int64)
        /// Answers a range request with status 416, although the file has the range.
        case refuseRange
        /// Answers a range request with one part of type multipart/byteranges.
        case multipart
        /// States neither ETag nor Last-Modified, so that only the size distinguishes two editions.
        case noValidators
        /// States no ETag, and a Last-Modified one hour before the file's, or one minute before that for a changed
        /// edition.
        ///
        /// So the date is a strong validator, RFC 9110 section 8.8.2.2, and each edition has its own.
        case noETag
        /// States a weak ETag that all editions share, and no Last-Modified; If-Range with this tag matches, text by
        /// text.
        case weakETag
        /// States this Cache-Control in every answer.
        case cacheControl(String)
        /// States the dates of a wrong clock: Date, Expires and, if the clock is ahead, Last-Modified.
        case clock(Clock)
        /// States an ETag that differs from the one before.
        case changedETag
        /// Changes the pack: every byte and the ETag differ, and it has this many bytes more, or fewer if negative.
        case changedContent(by: Int64)
        /// Changes the size by this many bytes; Content-Length is right, and the ETag differs.
        ///
        /// Existing bytes keep their values, and added bytes are zeros.
        case changedSize(by: Int64)
        /// Puts this many zeros in front of the pack's bytes; Content-Length is right, and the ETag differs.
        ///
        /// The zeros need no file, so a test can request bytes beyond 4 GiB at no cost.
        case leadingZeros(Int64)
        /// Answers 200 with this text instead of the pack, as a captive portal does.
        case body(String, contentType: String)
        /// Redirects to a page of the host with this text and status 200, as a captive portal also does.
        case portal(String)
        /// Delays the answer to the first message of a TLS handshake by this time.
        case slowTLS(Duration)
    }

    /// The kinds of actions; the raw value is the name in scenarios.
    package enum Kind: String, CaseIterable, Sendable {
        case status
        case redirect
        case lateHead = "late-head"
        case noHead = "no-head"
        case cut
        case stall
        case drip
        case corrupt
        case wrongLength = "wrong-length"
        case wrappedLength = "wrapped-length"
        case framing
        case encoding
        case ignoreRange = "ignore-range"
        case rangeAsWhole = "range-as-whole"
        case wrongRange = "wrong-range"
        case refuseRange = "refuse-range"
        case multipart
        case noValidators = "no-validators"
        case noETag = "no-etag"
        case weakETag = "weak-etag"
        case cacheControl = "cache-control"
        case clock
        case changedETag = "changed-etag"
        case changedContent = "changed-content"
        case changedSize = "changed-size"
        case leadingZeros = "leading-zeros"
        case portal
        case body
        case slowTLS = "slow-tls"
    }

    /// The part of an exchange that a fault changes.
    package enum Part: Sendable {
        /// The whole answer: another one replaces it.
        case answer
        case head
        case body
        /// The bytes that the answer selects of the resource.
        case range
        /// The resource itself: it is another file.
        case resource
        /// The handshake of a connection, whichever packs are requested over it; tries count connections.
        case handshake
    }

    /// Why a host with or without TLS cannot play this fault, for an error; nil if it can.
    package func impossibility(overTLS isTLS: Bool, offersHTTP2: Bool) -> String? {
        if action.isFrame, !isTLS || !offersHTTP2 { return "rst-stream and goaway need HTTP/2 over TLS" }
        if case .redirect(_, _, .plainHTTP?) = action, !isTLS { return "plain-http needs a host with TLS" }
        guard action.kind.row.part == .handshake else { return impossibility }
        if !isTLS { return "slow-tls needs a host with TLS" }
        return pack == "*" ? impossibility : "slow-tls precedes any request, so it cannot be for one pack"
    }
}

extension HostFault.Action {
    /// Whether the fault is a frame of HTTP/2.
    fileprivate var isFrame: Bool { if case .cut(_, let how) = self { how.isFrame } else { false } }
}

extension HostFault.Kind {
    /// The declaration of a kind: its notations, its effect on the client, and the action that its arguments make.
    ///
    /// Each kind has one case, so the list grows with the number of kinds.
    package var row: HostFault.Row {
        switch self {
        case .status:
            .init(
                value: .httpStatus, options: [.init("retry-after", .retryAfter)], part: .answer,
                notation: "`status=503` `[retry-after=2s` or `retry-after-date=2s]`",
                scenario: "`503`, from 400 to 599; with it `retry-after: 2 s`, or `retry-after: {date: 2 s}`, "
                    + "in the past `{date: -1 h}`",
                meaning: "this HTTP status; Retry-After in whole seconds, "
                    + "or as a date that far ahead (in the past with a minus)"
            ) { .status($0.value.number, retryAfter: $0["retry-after"]?.retryAfter) }
        case .redirect:
            .init(
                value: .field,
                options: [
                    .init("origin", .words("the origin of the redirect", HostFault.Origin.allCases.map(\.rawValue))),
                    .init("status", .redirectStatus),
                ], form: .valueOrMapping("to"), part: .answer,
                notation: "`redirect=URL` `[status=302]`, `redirect=/PATH other-host`, `redirect=/PATH other-port`, "
                    + "`redirect=/PATH plain-http`",
                scenario: "`URL`, or `{to: URL, status: 307}`; status 301, 302 (default), 303, 307 or 308; with it "
                    + "`origin: other-host`, `other-port` or `plain-http`, and a path or `?query` as the URL",
                meaning: "a redirect; with an origin, to another name or port of the host, or from TLS to plain HTTP"
            ) {
                .redirect(
                    to: $0.value.text, status: $0["status"]?.number ?? 302,
                    origin: $0["origin"].flatMap { HostFault.Origin(rawValue: $0.text) })
            }
        case .lateHead:
            .init(
                value: .duration, part: .head, notation: "`late-head=2s`", scenario: "`2 s`",
                meaning: "the host delays the head by this time"
            ) { .lateHead($0.value.duration) }
        case .noHead: flag(.never, concerns: .head, "the host accepts the request and never answers")
        case .cut:
            .init(
                value: .place, options: [.init("how", .words("how it ends", HostFault.Cut.allCases.map(\.rawValue)))],
                form: .mapping("at"), part: .body,
                notation: "`cut@PLACE` `[rst]`, with HTTP/2 `[rst-stream]` or `[goaway]`",
                scenario: "`{at: 40 %, how: rst}`; `fin` is the default; with HTTP/2 `rst-stream` or `goaway`",
                meaning: "the connection ends before the byte at this place, by a FIN, a reset or GOAWAY; "
                    + "`rst-stream` ends only the stream"
            ) { .cut(at: $0.value.place, how: $0["how"].flatMap { HostFault.Cut(rawValue: $0.text) } ?? .fin) }
        case .stall:
            .init(
                value: .place, options: [.init("for", .duration)], form: .mapping("at"), part: .body,
                notation: "`stall@PLACE` `[for=5s]`", scenario: "`{at: 1 MiB, for: 5 s}`; without `for`, for ever",
                meaning: "the body stops at this place, for this time or for ever"
            ) { .stall(at: $0.value.place, for: $0["for"]?.duration) }
        case .drip:
            .init(
                value: .speed, part: .body, notation: "`drip=80kbit/s`, `drip=10kB/s`",
                scenario: "`16 kbit/s`, or `2 kB/s`", meaning: "the body comes at this rate"
            ) { .drip(bytesPerSecond: $0.value.bytes) }
        case .corrupt:
            .init(
                value: .place, part: .body, notation: "`corrupt@PLACE`", scenario: "`50 %`",
                meaning: "the lowest bit of the byte at this place is flipped"
            ) { .corrupt(at: $0.value.place) }
        case .wrongLength:
            .init(
                value: .difference, part: .body, notation: "`wrong-length=+100`, `wrong-length=-100`",
                scenario: "`-10`", meaning: "Content-Length is wrong by this many bytes; the body is complete"
            ) { .wrongLength(by: $0.value.bytes) }
        case .wrappedLength:
            .init(
                value: .place, part: .body, notation: "`wrapped-length@PLACE`", scenario: "`40 %`",
                meaning: "Content-Length is 2^32 more than the bytes up to this place: "
                    + "its lower 32 bits end the body there"
            ) { .wrappedLength(at: $0.value.place) }
        case .framing:
            .init(
                value: .words("a framing", HostFault.Framing.allCases.map(\.rawValue)), part: .body,
                notation: "`framing=chunked`, `framing=trailers`, `framing=until-close`",
                scenario: "`chunked`, `trailers` or `until-close`",
                meaning: "no Content-Length: the body comes in chunks, in chunks with a trailer field, "
                    + "or until the connection ends"
            ) { .framing(HostFault.Framing(rawValue: $0.value.text) ?? .chunked) }
        case .encoding:
            .init(
                value: .words("a content coding", HostFault.ContentCoding.allCases.map(\.rawValue)), part: .body,
                notation: "`encoding=gzip`, `encoding=br`", scenario: "`gzip` or `br`",
                meaning: "Content-Encoding, and the whole body encoded so, although the request did not ask for it"
            ) { .encoding(HostFault.ContentCoding(rawValue: $0.value.text) ?? .gzip) }
        case .ignoreRange: flag(.ignoreRange, concerns: .range, "200 and the whole file for a range request")
        case .rangeAsWhole: flag(.rangeAsWhole, concerns: .range, "200 and only the range for a range request")
        case .wrongRange:
            .init(
                value: .difference, part: .range, notation: "`wrong-range=+5`, `wrong-range=-5`",
                scenario: "`+100`", meaning: "206 with a range that begins this many bytes off; Content-Range says so"
            ) { .wrongRange(by: $0.value.bytes) }
        case .refuseRange: flag(.refuseRange, concerns: .range, "416 for a range that the file has")
        case .multipart:
            flag(
                .multipart, concerns: .range,
                "206 of type multipart/byteranges with one part for a request for one range")
        case .noValidators: flag(.noValidators, concerns: .head, "neither ETag nor Last-Modified")
        case .noETag:
            flag(
                .noETag, concerns: .head,
                "no ETag, and a Last-Modified of an hour ago; those of other editions are minutes older")
        case .weakETag:
            flag(
                .weakETag, concerns: .head,
                "a weak ETag that all editions share, and no Last-Modified; If-Range with this tag matches, as in nginx"
            )
        case .cacheControl:
            .init(
                value: .field, part: .head, notation: "`cache-control=\"max-age=1\"`", scenario: "`max-age=1`",
                meaning: "this Cache-Control in every answer"
            ) { .cacheControl($0.value.text) }
        case .clock:
            .init(
                value: .words("the host's clock", HostFault.Clock.allCases.map(\.rawValue)), part: .head,
                notation: "`clock=ahead`, `clock=epoch`", scenario: "`ahead`, or `epoch`",
                meaning: "Date, Expires and Last-Modified are a year ahead; or Date and Expires are 1970-01-01"
            ) { .clock(HostFault.Clock(rawValue: $0.value.text) ?? .ahead) }
        case .changedETag: flag(.changedETag, concerns: .resource, "a different ETag than before, so If-Range fails")
        case .changedContent:
            .init(
                value: .difference, part: .resource, notation: "`changed-content=+100`",
                scenario: "`+100`; with `try: 2-9` the pack changes while it is fetched",
                meaning: "the file has changed: every byte and the ETag differ, "
                    + "and it has this many bytes more or fewer"
            ) { .changedContent(by: $0.value.bytes) }
        case .changedSize:
            .init(
                value: .difference, part: .resource, notation: "`changed-size=+100`, `changed-size=-100`",
                scenario: "`+100`",
                meaning: "the body has this many zeros more, or bytes fewer; Content-Length says so, "
                    + "and the ETag differs"
            ) { .changedSize(by: $0.value.bytes) }
        case .leadingZeros:
            .init(
                value: .count, part: .resource, notation: "`leading-zeros=4GiB`", scenario: "`4 GiB`",
                meaning: "this many zeros precede the bytes of the pack; Content-Length says so, and the ETag differs"
            ) { .leadingZeros($0.value.bytes) }
        case .portal:
            .init(
                value: .text, part: .answer, notation: "`portal=\"<p>Sign in</p>\"`",
                scenario: "`'<p>Sign in</p>'`",
                meaning: "a redirect to a page of the host (`/sign-in/…`) with status 200 and this text, "
                    + "as a captive portal does"
            ) { .portal($0.value.text) }
        case .body:
            .init(
                value: .text, options: [.init("type", .field)], form: .mapping("text"), part: .answer,
                notation: "`body=\"<p>Sign in</p>\"` `[type=text/html]`",
                scenario: "`{text: '<p>Sign in</p>', type: text/html}`",
                meaning: "200 and this text instead of the pack, as a captive portal does"
            ) { .body($0.value.text, contentType: $0["type"]?.text ?? "text/html") }
        case .slowTLS:
            .init(
                value: .duration, part: .handshake, notation: "`slow-tls=3s`",
                scenario: "`3 s`; with `tls` and `pack: any`; `try` counts connections",
                meaning: "the host delays its answer to the first message of a TLS handshake by this time"
            ) { .slowTLS($0.value.duration) }
        }
    }

    /// The row of a fault that takes no value.
    private func flag(_ action: HostFault.Action, concerns part: HostFault.Part, _ meaning: String) -> HostFault.Row {
        .init(value: nil, part: part, notation: "`\(rawValue)`", scenario: "`true`", meaning: meaning) { _ in action }
    }
}

extension HostFault.Action {
    /// The kind, and the arguments that make this action; an argument that is left out has its default.
    package var spelling: (kind: HostFault.Kind, arguments: HostFault.Arguments) {
        switch self {
        case .status(let status, let retryAfter):
            (.status, .init(.number(status), ["retry-after": retryAfter?.argument]))
        case .redirect(let target, let status, let origin):
            (
                .redirect,
                .init(.text(target), ["status": .number(status), "origin": origin.map { .text($0.rawValue) }])
            )
        case .lateHead(let delay): (.lateHead, .init(.duration(delay)))
        case .never: (.noHead, .init())
        case .cut(let place, let how): (.cut, .init(.place(place), ["how": how == .fin ? nil : .text(how.rawValue)]))
        case .stall(let place, let length): (.stall, .init(.place(place), ["for": length.map { .duration($0) }]))
        case .drip(let speed): (.drip, .init(.bytes(speed)))
        case .corrupt(let place): (.corrupt, .init(.place(place)))
        case .wrongLength(let difference): (.wrongLength, .init(.bytes(difference)))
        case .wrappedLength(let place): (.wrappedLength, .init(.place(place)))
        case .framing(let framing): (.framing, .init(.text(framing.rawValue)))
        case .encoding(let coding): (.encoding, .init(.text(coding.rawValue)))
        case .ignoreRange: (.ignoreRange, .init())
        case .rangeAsWhole: (.rangeAsWhole, .init())
        case .wrongRange(let difference): (.wrongRange, .init(.bytes(difference)))
        case .refuseRange: (.refuseRange, .init())
        case .multipart: (.multipart, .init())
        case .noValidators: (.noValidators, .init())
        case .noETag: (.noETag, .init())
        case .weakETag: (.weakETag, .init())
        case .cacheControl(let text): (.cacheControl, .init(.text(text)))
        case .clock(let clock): (.clock, .init(.text(clock.rawValue)))
        case .changedETag: (.changedETag, .init())
        case .changedContent(let difference): (.changedContent, .init(.bytes(difference)))
        case .changedSize(let difference): (.changedSize, .init(.bytes(difference)))
        case .leadingZeros(let count): (.leadingZeros, .init(.bytes(count)))
        case .portal(let page): (.portal, .init(.text(page)))
        case .body(let text, let type): (.body, .init(.text(text), ["type": .text(type)]))
        case .slowTLS(let delay): (.slowTLS, .init(.duration(delay)))
        }
    }

    /// The kind of this action.
    package var kind: HostFault.Kind { spelling.kind }
}
