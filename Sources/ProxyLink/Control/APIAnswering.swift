internal import LinkModel
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// An API: answers the requests of its clients.
protocol APIAnswering: Sendable {
    /// The most bytes that a request's body may have; a longer one gets status 413.
    var longestBody: Int { get }
    /// How long a client may be idle and take to send a request, together.
    var patience: Duration { get }

    func answer(_ request: NIOHTTPServerRequestFull, from client: SocketAddress?) async -> APIAnswer
}

/// An answer: a status, fields, and a body.
struct APIAnswer {
    var status: HTTPResponseStatus
    var fields: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8"]
    var body: [UInt8]
    /// Pieces that are sent after the body for as long as the client stays; nil if there are none.
    var events: AsyncStream<[UInt8]>?

    static func problem(_ status: HTTPResponseStatus, _ text: String) -> APIAnswer {
        APIAnswer(status: status, body: Array("headwind: \(text)\n".utf8))
    }
}

extension APIAnswering {
    /// Starts to listen at `endpoint`; the address that it returns has the real port.
    ///
    /// Throws ``ProxyLinkError/listen(_:_:code:)`` if the address cannot be used.
    func listen(
        at endpoint: Endpoint, on eventLoop: any EventLoop
    ) async throws -> (channel: any Channel, address: Endpoint) {
        var bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel) }
            }
        for (option, value) in KeepAlive.options { bootstrap = bootstrap.serverChannelOption(option, value: value) }
        do {
            let address = try SocketAddress(ipAddress: endpoint.host, port: endpoint.port)
            let channel = try await bootstrap.bind(to: address).get()
            return (channel, Endpoint(host: endpoint.host, port: channel.localAddress?.port ?? endpoint.port))
        } catch {
            throw ProxyLinkError.listening(at: endpoint, error)
        }
    }

    /// Adds the handlers of HTTP and of the API to the pipeline of a client's channel.
    func configure(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline()
        try pipeline.addHandler(NIOHTTPServerRequestAggregator(maxContentLength: longestBody))
        try pipeline.addHandler(ControlHandler(self))
    }
}
