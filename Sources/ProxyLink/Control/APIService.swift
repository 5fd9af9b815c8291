internal import LinkModel
internal import NIOCore
internal import NIOHTTP1

/// A request to an API, as it came.
package struct APIRequest: Sendable, Hashable {
    package var method: String
    /// The path and the query, as they were sent.
    package var target: String
    /// Fields by their names in lower case; the values of one name in their order.
    package var fields: [String: [String]]
    package var body: [UInt8]
    /// The client's address; nil where that is not known.
    package var client: String?
    /// Where the client reached the proxy; nil where that is not known.
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

/// What an API answers.
package struct APIResponse: Sendable {
    package var status: Int
    package var contentType: String
    /// More fields, none of which says how long the body is.
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8]
    /// What follows the body for as long as the client stays; nil where nothing does.
    package var events: AsyncStream<[UInt8]>?

    package init(status: Int, contentType: String, body: [UInt8], events: AsyncStream<[UInt8]>? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.events = events
    }
}

/// An API of another target's over HTTP, which a ``ProxyLink`` serves.
package struct APIService: APIAnswering {
    package let longestBody: Int
    package let patience: Duration
    private let respond: @Sendable (APIRequest) async -> APIResponse

    /// `longestBody`: a longer one gets 413; `patience`: how long a client may take for a request, and idle before it.
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
