package import LinkModel
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// The control API of a standing link: `GET /v1/link`, `PUT /v1/link`.
private struct ControlServer: Sendable {
    typealias Channel = NIOAsyncChannel<NIOHTTPServerRequestFull, HTTPServerResponsePart>

    let link: ProxyLink
    let profile: @Sendable (String) throws -> Profile

    static let longestBody = 64 * 1024

    /// An answer: a status and a body of JSON or text.
    struct Answer {
        var status: HTTPResponseStatus
        var type = "text/plain; charset=utf-8"
        var body: [UInt8]

        static func problem(_ status: HTTPResponseStatus, _ text: String) -> Answer {
            Answer(status: status, body: Array("headwind: \(text)\n".utf8))
        }
    }

    func serve(_ channel: Channel) async throws {
        try await channel.executeThenClose { requests, responses in
            for try await request in requests {
                let answer = await answer(request)
                let fields: HTTPHeaders = [
                    "Content-Type": answer.type, "Content-Length": "\(answer.body.count)", "Cache-Control": "no-store",
                ]
                let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: fields)
                try await responses.write(.head(head))
                try await responses.write(.body(.byteBuffer(ByteBuffer(bytes: answer.body))))
                try await responses.write(.end(nil))
                if !request.head.isKeepAlive { return }
            }
        }
    }

    private func answer(_ request: NIOHTTPServerRequestFull) async -> Answer {
        guard isLocal(request.head) else {
            // A page in a browser could otherwise reach it by a name that leads here.
            return .problem(.forbidden, "the control API is reached by address, not by name")
        }
        guard request.head.uri == "/v1/link" else { return .problem(.notFound, "there is only /v1/link") }
        do {
            switch request.head.method {
            case .GET: break
            case .PUT: try await change(LinkChange(json: Array(request.body.map { Array($0.readableBytesView) } ?? [])))
            default: return .problem(.methodNotAllowed, "/v1/link takes GET and PUT")
            }
            return Answer(status: .ok, type: "application/json", body: try await link.document().json())
        } catch {
            return .problem(.badRequest, "\(error)")
        }
    }

    private func change(_ change: LinkChange) async throws {
        switch change {
        case .profile(let name): try await link.set(try profile(name))
        case .conditions(let conditions): try await link.set(conditions)
        case .offline(let kind): try await link.update { $0.offline = kind }
        }
    }

    private func isLocal(_ head: HTTPRequestHead) -> Bool {
        guard let host = head.headers.first(name: "host"), let endpoint = try? Endpoint(parsing: host, defaultPort: 80)
        else { return false }
        return endpoint.isAddress || endpoint.host == "localhost"
    }
}

/// Runs `body` while the control API of `link` listens at `endpoint`; `body` is given the address with its real port.
///
/// `profile` finds a profile by its name. Throws ``ProxyLinkError/listen(_:_:code:)`` where the address cannot be used.
package func withControlServer<Result: Sendable>(
    at endpoint: Endpoint,
    for link: ProxyLink,
    profile: @escaping @Sendable (String) throws -> Profile,
    _ body: (Endpoint) async throws -> Result
) async throws -> Result {
    let listener: NIOAsyncChannel<ControlServer.Channel, Never>
    do {
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(to: try SocketAddress(ipAddress: endpoint.host, port: endpoint.port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    let aggregator = NIOHTTPServerRequestAggregator(maxContentLength: ControlServer.longestBody)
                    try channel.pipeline.syncOperations.addHandler(aggregator)
                    return try ControlServer.Channel(wrappingChannelSynchronously: channel)
                }
            }
    } catch {
        throw ProxyLinkError.listening(at: endpoint, error)
    }
    let server = ControlServer(link: link, profile: profile)
    let address = Endpoint(host: endpoint.host, port: listener.channel.localAddress?.port ?? endpoint.port)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            try await listener.executeThenClose { clients in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await client in clients {
                        // One client's trouble is its own.
                        group.addTask { try? await server.serve(client) }
                    }
                }
            }
        }
        defer { group.cancelAll() }
        return try await body(address)
    }
}
