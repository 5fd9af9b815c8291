internal import Documents
package import LinkModel
internal import LinuxSupport

/// The control API of a standing link: `GET /v1/link`, `PUT /v1/link`.
struct ControlServer {
    let configuration: ControlConfiguration
    let engine: EngineHandle
    /// The named proxies that version 2 of the API controls; nil if there is only version 1.
    var named: NamedProxies?

    var service: APIService {
        APIService(longestBody: 1024 * 1024, patience: configuration.patience) { await answer($0) }
    }

    func answer(_ request: APIRequest) async -> APIResponse {
        if let refusal = refusal(of: request) { return refusal }
        if let named, let later = configuration.later, request.target.hasPrefix("/v2/") {
            return await later(named, request)
        }
        guard request.target == "/v1/link" else { return Self.problem(404, "there is only /v1/link") }
        do {
            switch request.method {
            case "GET": break
            case "PUT":
                let change = try configuration.read(request.body)
                if let named {
                    _ = try await named.putLink(ProxyRegistry.mainLink, NamedLinkRequest([change]))
                } else {
                    try await engine.run { $0.change([change]) }
                }
            default: return Self.problem(405, "/v1/link takes GET and PUT", fields: [("Allow", "GET, PUT")])
            }
            let document = try await engine.run { engine in
                LinkDocument(
                    profile: engine.followedProfile?.name, conditions: engine.conditions, counters: engine.counters())
            }
            let body = Array(try document.jsonText().utf8)
            return APIResponse(status: 200, contentType: "application/json", body: body)
        } catch {
            return Self.problem(400, "\(error)")
        }
    }

    /// The answer to a client that may not use the API; nil if it may.
    private func refusal(of request: APIRequest) -> APIResponse? {
        let client = request.client.flatMap(InternetAddress.init(parsing:))
        let hasToken = hasToken(request)
        func problem(_ status: Int, _ text: String, fields: [(name: String, value: String)] = []) -> APIResponse {
            guard request.target.hasPrefix("/v2/") else { return Self.problem(status, text, fields: fields) }
            var answer = APIResponse(status: status, .refusal(text, status: status))
            answer.fields = fields
            return answer
        }
        if client?.connected.isLoopback != true, !hasToken {
            return problem(
                401, "clients on other machines must send the token of the control API: 'Authorization: Bearer TOKEN'",
                fields: [("WWW-Authenticate", "Bearer")])
        }
        // A page in a browser could otherwise reach the API by a name that resolves to this address (DNS rebinding). It
        // cannot know the token.
        guard hasToken || request.hasLocalHost else {
            return problem(
                403,
                "open the control API by its address, a name without a dot, or a name in .internal"
                    + (configuration.token == nil ? "" : "; or send its token"))
        }
        // Browsers send Origin with each request that can change something (Fetch §3.2); no page has this API's origin.
        guard request.fields["origin"] == nil else {
            return problem(403, "the control API takes no requests from pages in browsers")
        }
        return nil
    }

    /// Whether the request has the token (RFC 6750 §2.1); the time that this takes does not reveal how much is right.
    private func hasToken(_ request: APIRequest) -> Bool {
        let fields = request.fields["authorization"] ?? []
        guard let token = configuration.token.map({ Array($0.utf8) }), !token.isEmpty, fields.count == 1,
            let words = fields.first?.split(separator: " "), words.count == 2, words[0].lowercased() == "bearer"
        else { return false }
        return token.equalInConstantTime(words[1].utf8)
    }

    private static func problem(
        _ status: Int, _ text: String, fields: [(name: String, value: String)] = []
    ) -> APIResponse {
        var answer = APIResponse(
            status: status, contentType: "text/plain; charset=utf-8", body: Array("headwind: \(text)\n".utf8))
        answer.fields = fields
        return answer
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
        InternetAddress(parsing: endpoint.host)?.isLoopback != true
    }
}
