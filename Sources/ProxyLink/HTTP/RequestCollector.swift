internal import NIOCore

/// How a client of the forward proxy says where it wants to go, and is answered.
enum Dialect: Hashable, Sendable {
    /// Also where nothing has been said yet.
    case http
    /// Known only to be turned away in its own words.
    case socks4
    case socks5(hasGreeted: Bool)
}

/// Gathers what a client of the forward proxy says first; its first byte tells the dialect.
struct RequestCollector {
    enum Progress {
        case incomplete
        /// The client may wait for this before it goes on.
        case answer(ByteBuffer)
        /// What it asks for, and what came after that.
        case complete(ProxyRequest, rest: ByteBuffer)
        /// It asks for a page of the proxy itself.
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

    /// `headLimit`: the most bytes of an HTTP request's head; `credentials`: what the client has to say; `page`: where the
    /// proxy's own page is, nil where there is none.
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

    /// Takes in `more`; after an answer, what had come with it is looked at by another call.
    mutating func append(_ more: inout ByteBuffer) throws(Refusal) -> Progress {
        guard let speech = speech ?? begun(by: more) else { return .incomplete }
        switch speech {
        case .http(var collector):
            defer { self.speech = .http(collector) }
            let head: RequestHead
            let rest: ByteBuffer
            do throws(MalformedHead) {
                guard case .complete(let whole, let behind) = try collector.append(&more) else { return .incomplete }
                (head, rest) = (whole, behind)
            } catch {
                throw .malformed(error.description)
            }
            return try request(head, rest)
        case .socks4:
            self.speech = speech
            throw .unsupported(.version4)
        case .socks5(var collector):
            defer { self.speech = .socks5(collector) }
            return try collector.append(&more)
        }
    }

    /// What a request is for: the proxy itself, or another server.
    private func request(_ head: RequestHead, _ rest: ByteBuffer) throws(Refusal) -> Progress {
        if let own = try page?.request(head, credentials) { return .page(own) }
        guard head.has(credentials, in: "proxy-authorization") else { throw .unauthenticated(ofPage: false) }
        do throws(MalformedHead) {
            let request = try ProxyRequest(head)
            if let page, case .forward(let target, let origin, _, _) = request,
                ProxyPage.isAt(target, local: page.local)
            {
                return .page(page.request(head, target: origin, host: target))
            }
            return .complete(request, rest: rest)
        } catch {
            throw .malformed(error.description)
        }
    }

    /// What the first byte begins; that of HTTP is a character of its method, and never 4 or 5 (RFC 9110 §9.1).
    private func begun(by bytes: ByteBuffer) -> Speech? {
        switch bytes.readableBytesView.first {
        case nil: nil
        case 4: .socks4
        case SOCKSCollector.version: .socks5(SOCKSCollector(credentials))
        case _?: .http(HeadCollector(limit: headLimit))
        }
    }
}
