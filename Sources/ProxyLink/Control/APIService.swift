package import Documents
internal import LinkModel
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A request to an API, as the client sent it.
package struct APIRequest: Sendable, Hashable {
    package var method: String
    /// The path and the query, as they were sent.
    package var target: String
    /// The values of each field, in the order in which they were sent, by the field's name in lower case.
    package var fields: [String: [String]] = [:]
    package var body: [UInt8] = []
    /// The client's address; nil if it is unknown.
    package var client: String?
    /// The address and port at which the client reached the proxy; nil if they are unknown.
    package var local: Endpoint?

    /// Whether the host is an address or a local name; a page could otherwise use a name that resolves here.
    ///
    /// Names without a dot, and those in `.internal`, cannot be registered, and containers have such names.
    package var hasLocalHost: Bool {
        guard let hosts = fields["host"], hosts.count == 1,
            let endpoint = try? Endpoint(parsing: hosts[0], defaultPort: 80)
        else { return false }
        return endpoint.isAddress || !endpoint.host.contains(".") || endpoint.host.hasSuffix(".internal")
    }
}

/// The answer of an API.
package struct APIResponse: Sendable {
    package var status: Int
    package var contentType: String
    /// Further fields; Content-Length and Transfer-Encoding must not be among them.
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8]
    /// Pieces that are sent after the body for as long as the client stays; nil if there are none.
    package var events: AsyncStream<[UInt8]>?

    package init(status: Int, contentType: String, body: [UInt8], events: AsyncStream<[UInt8]>? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.events = events
    }

    /// An answer in JSON.
    package init(status: Int, _ document: JSONTree) {
        self.init(status: status, contentType: "application/json", body: Array(document.line.utf8))
    }
}

/// An HTTP API that another target implements and a ``ProxyLink`` serves.
package struct APIService: Sendable {
    package let longestBody: Int
    package let patience: Duration
    let respond: @Sendable (APIRequest) async -> APIResponse

    /// `longestBody`: bytes; a longer one gets status 413; `patience`: how long a client may be idle and take to send a
    /// request, together (default: 30 s).
    package init(
        longestBody: Int, patience: Duration = .seconds(30),
        _ respond: @escaping @Sendable (APIRequest) async -> APIResponse
    ) {
        self.longestBody = longestBody
        self.patience = patience
        self.respond = respond
    }

    /// Starts to listen at `endpoint`; the address that it returns has the real port.
    ///
    /// Throws ``ProxyLinkError/listen(_:_:code:)`` if the address cannot be used.
    func listen(
        at endpoint: Endpoint, on eventLoop: any EventLoop
    ) async throws -> (channel: any Channel, address: Endpoint) {
        try await ServerBootstrap.listening(on: eventLoop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel) }
            }
            .listen(at: endpoint)
    }

    /// Adds the handlers of HTTP and of the API to the pipeline of a client's channel.
    func configure(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline()
        try pipeline.addHandler(NIOHTTPServerRequestAggregator(maxContentLength: longestBody))
        try pipeline.addHandler(ControlHandler(self))
    }
}

extension JSONTree {
    /// The body of an answer that refuses a request, in the form of Toxiproxy's errors.
    package static func refusal(_ text: String, status: Int) -> JSONTree {
        .object(["error": .text(text), "status": .whole(status)])
    }
}

extension APIRequest {
    init(_ request: NIOHTTPServerRequestFull, from client: SocketAddress?) {
        var fields: [String: [String]] = [:]
        for (name, value) in request.head.headers { fields[name.lowercased(), default: []].append(value) }
        self.init(
            method: request.head.method.rawValue, target: request.head.uri, fields: fields,
            body: request.body.map { Array($0.readableBytesView) } ?? [], client: client?.ipAddress)
    }
}

extension APIResponse {
    /// The head of the answer; it has no length if events follow the body.
    var head: HTTPResponseHead {
        var headers = HTTPHeaders()
        if !contentType.isEmpty { headers.add(name: "Content-Type", value: contentType) }
        for (name, value) in fields { headers.add(name: name, value: value) }
        if events == nil { headers.add(name: "Content-Length", value: "\(body.count)") }
        headers.add(name: "Cache-Control", value: "no-store")
        return HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
    }
}
