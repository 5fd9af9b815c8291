internal import NIOCore

/// The protocol in which a client of the forward proxy sends its request and is answered.
enum Dialect: Hashable, Sendable {
    /// Also before the client's first byte.
    case http
    /// Recognized only to be refused by an answer of SOCKS 4.
    case socks4
    case socks5(hasGreeted: Bool)
}

/// Collects the request of a forward proxy's client; the first byte determines the dialect.
struct RequestCollector {
    enum Progress {
        case incomplete
        /// Bytes for the client, which may wait for them before it goes on.
        case answer(ByteBuffer)
        /// The request, and the bytes after it.
        case complete(ProxyRequest, rest: ByteBuffer)
        /// A request for a page of the proxy itself.
        case page(APIRequest)
    }

    private enum Speech {
        case http(HeadCollector)
        case socks4
        case socks5(SOCKSCollector)
    }

    private let headLimit: Int
    private let credentials: ProxyCredentials?
    private let page: PageAddress?
    private var speech: Speech?

    /// `headLimit`: the most bytes of an HTTP request's head; `credentials`: what the client must send, nil for none;
    /// `page`: where the proxy's own page is, nil if it has none.
    init(headLimit: Int, credentials: ProxyCredentials? = nil, page: PageAddress? = nil) {
        self.headLimit = headLimit
        self.credentials = credentials
        self.page = page
    }

    var dialect: Dialect {
        switch speech {
        case .http, nil: .http
        case .socks4: .socks4
        case .socks5(let collector): .socks5(hasGreeted: collector.hasGreeted)
        }
    }

    /// Takes `more` bytes, and returns the next step; after an answer, call again for the bytes that are left.
    mutating func append(_ more: inout ByteBuffer) throws(Refusal) -> Progress {
        guard let speech = speech ?? begun(by: more) else { return .incomplete }
        switch speech {
        case .http(var collector):
            defer { self.speech = .http(collector) }
            guard case .complete(let head, let rest) = try collector.append(&more) else { return .incomplete }
            return try request(head, rest)
        case .socks4:
            self.speech = speech
            throw .unsupported(.version4)
        case .socks5(var collector):
            defer { self.speech = .socks5(collector) }
            return try collector.append(&more)
        }
    }

    /// The step for a complete head: a page of the proxy itself, or a request to another server.
    private func request(_ head: RequestHead, _ rest: ByteBuffer) throws(Refusal) -> Progress {
        if let own = try page?.request(head, credentials) { return .page(own) }
        guard head.has(credentials, in: "proxy-authorization") else { throw .unauthenticated(ofPage: false) }
        let request = try ProxyRequest(head)
        if let page, case .forward(let target, let origin, _, _) = request, ProxyPage.isAt(target, local: page.local) {
            return .page(page.request(head, target: origin, host: target))
        }
        return .complete(request, rest: rest)
    }

    /// The protocol of the first byte; in HTTP it is a character of the method, and never 4 or 5 (RFC 9110 §9.1).
    private func begun(by bytes: ByteBuffer) -> Speech? {
        switch bytes.readableBytesView.first {
        case nil: nil
        case 4: .socks4
        case SOCKSCollector.version: .socks5(SOCKSCollector(credentials))
        case _?: .http(HeadCollector(limit: headLimit))
        }
    }
}
