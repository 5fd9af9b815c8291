internal import LinkModel
internal import NIOCore
internal import NIOHTTP1

/// A request to an API, as the client sent it.
package struct APIRequest: Sendable, Hashable {
    package var method: String
    /// The path and the query, as they were sent.
    package var target: String
    /// The values of each field, in the order in which they were sent, by the field's name in lower case.
    package var fields: [String: [String]]
    package var body: [UInt8]
    /// The client's address; nil if it is unknown.
    package var client: String?
    /// The address and port at which the client reached the proxy; nil if they are unknown.
    package var local: Endpoint?

    package init(
        method: String, target: String, fields: [String: [String]] = [:], body: [UInt8] = [], client: String? = nil,
        local: Endpoint? = nil
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.client = client
        self.local = local
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
}

/// An HTTP API that another target implements and a ``ProxyLink`` serves.
package struct APIService: APIAnswering {
    package let longestBody: Int
    package let patience: Duration
    private let respond: @Sendable (APIRequest) async -> APIResponse

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

    func answer(_ request: NIOHTTPServerRequestFull, from client: SocketAddress?) async -> APIAnswer {
        APIAnswer(await respond(APIRequest(request, from: client)))
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

extension APIAnswer {
    init(_ response: APIResponse) {
        var fields = HTTPHeaders()
        if !response.contentType.isEmpty { fields.add(name: "Content-Type", value: response.contentType) }
        for (name, value) in response.fields { fields.add(name: name, value: value) }
        self.init(
            status: HTTPResponseStatus(statusCode: response.status), fields: fields, body: response.body,
            events: response.events)
    }
}
