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

    package init(
        method: String, target: String, fields: [String: [String]] = [:], body: [UInt8] = [], client: String? = nil
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.client = client
    }
}

/// What an API answers.
package struct APIResponse: Sendable, Hashable {
    package var status: Int
    package var contentType: String
    package var body: [UInt8]

    package init(status: Int, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
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
        var fields: [String: [String]] = [:]
        for (name, value) in request.head.headers { fields[name.lowercased(), default: []].append(value) }
        let response = await respond(
            APIRequest(
                method: request.head.method.rawValue, target: request.head.uri, fields: fields,
                body: request.body.map { Array($0.readableBytesView) } ?? [], client: client?.ipAddress))
        var headers = HTTPHeaders()
        if !response.contentType.isEmpty { headers.add(name: "Content-Type", value: response.contentType) }
        return APIAnswer(
            status: HTTPResponseStatus(statusCode: response.status), fields: headers, body: response.body)
    }
}
