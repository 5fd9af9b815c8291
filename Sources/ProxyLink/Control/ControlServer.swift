package import LinkModel
internal import NIOCore
internal import NIOHTTP1

/// The control API of a standing link: `GET /v1/link`, `PUT /v1/link`.
struct ControlServer: APIAnswering {
    let configuration: ControlConfiguration
    let engine: EngineHandle
    /// The named proxies that version 2 of the API controls; nil if there is only version 1.
    var named: NamedProxies?

    typealias Answer = APIAnswer

    var longestBody: Int { 64 * 1024 }
    var patience: Duration { configuration.patience }

    func answer(_ request: NIOHTTPServerRequestFull, from client: SocketAddress?) async -> Answer {
        if let refusal = refusal(of: request.head, from: client) { return refusal }
        if let named, let later = configuration.later, request.head.uri.hasPrefix("/v2/") {
            return APIAnswer(await later(named, APIRequest(request, from: client)))
        }
        guard request.head.uri == "/v1/link" else { return .problem(.notFound, "there is only /v1/link") }
        do {
            switch request.head.method {
            case .GET: break
            case .PUT:
                let change = try configuration.read(request.body.map { Array($0.readableBytesView) } ?? [])
                if let named {
                    _ = try await named.putLink(ProxyRegistry.mainLink, change)
                } else {
                    try await engine.run { $0.change(change) }
                }
            default:
                var answer = Answer.problem(.methodNotAllowed, "/v1/link takes GET and PUT")
                answer.fields.add(name: "Allow", value: "GET, PUT")
                return answer
            }
            let document = try await engine.run { engine in
                LinkDocument(
                    profile: engine.followedProfile?.name, conditions: engine.conditions, counters: engine.counters())
            }
            return Answer(status: .ok, fields: ["Content-Type": "application/json"], body: try document.json())
        } catch {
            return .problem(.badRequest, "\(error)")
        }
    }

    /// The answer to a client that may not use the API; nil if it may.
    private func refusal(of head: HTTPRequestHead, from client: SocketAddress?) -> Answer? {
        if NetworkAddress(client)?.isLoopback != true, !hasToken(head) {
            var answer = Answer.problem(
                .unauthorized,
                "clients on other machines must send the token of the control API: 'Authorization: Bearer TOKEN'")
            answer.fields.add(name: "WWW-Authenticate", value: "Bearer")
            return answer
        }
        // A page in a browser could otherwise reach the API by a name that resolves to this address (DNS rebinding).
        guard isLocal(head) else { return .problem(.forbidden, "open the control API by its address, not by a name") }
        // Browsers send Origin with each request that can change something (Fetch §3.2); no page has this API's origin.
        guard !head.headers.contains(name: "origin") else {
            return .problem(.forbidden, "the control API takes no requests from pages in browsers")
        }
        return nil
    }

    private func isLocal(_ head: HTTPRequestHead) -> Bool {
        guard let host = head.headers.first(name: "host"), let endpoint = try? Endpoint(parsing: host, defaultPort: 80)
        else { return false }
        return endpoint.isAddress || endpoint.host == "localhost"
    }

    /// Whether the request has the token (RFC 6750 §2.1); the time that this takes does not reveal how much is right.
    private func hasToken(_ head: HTTPRequestHead) -> Bool {
        let fields = head.headers["authorization"]
        guard let token = configuration.token.map({ Array($0.utf8) }), !token.isEmpty, fields.count == 1,
            let words = fields.first?.split(separator: " "), words.count == 2, words[0].lowercased() == "bearer"
        else { return false }
        return token.equalInConstantTime(words[1].utf8)
    }
}

/// The configuration of a link's control API: where it listens, and which clients may use it.
package struct ControlConfiguration: Sendable {
    package var listen: Endpoint
    /// The token that a client which is not on loopback must send; nil: such clients are refused.
    package var token: String?
    /// Reads the body of a client's request; the client gets the text of an error that it throws.
    package var read: @Sendable ([UInt8]) throws -> LinkRequest
    /// How long a client may be idle and take to send a request, together (default: 30 s).
    package var patience: Duration
    /// Answers requests below `/v2/`; nil: they get status 404.
    package var later: (@Sendable (NamedProxies, APIRequest) async -> APIResponse)?

    package init(
        listen: Endpoint, token: String? = nil, patience: Duration = .seconds(30),
        read: @escaping @Sendable ([UInt8]) throws -> LinkRequest
    ) {
        self.listen = listen
        self.token = token
        self.patience = patience
        self.read = read
    }

    /// Whether clients that are not on loopback can connect to a listener at `endpoint`.
    package static func isBeyondLoopback(_ endpoint: Endpoint) -> Bool {
        NetworkAddress(host: endpoint.host).map { !$0.isLoopback || $0.isWildcard } ?? true
    }
}
