import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOTLS

/// The handlers of one connection: those of the socket, of TLS and of the protocol, and the connection itself.
struct ConnectionPipeline {
    private let socket: SocketEnd
    private let connection: PackConnection

    init(_ number: Int, core: HostCore) {
        socket = SocketEnd(linger: core.limits.linger)
        connection = PackConnection(number, core: core, socket: socket)
    }

    /// Adds the handlers to a new channel, on its event loop.
    func build(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([socket, connection])
        guard let security = connection.core.configuration.security else { return try speakHTTP1(pipeline) }
        guard connection.core.allowsPlain else { return try secure(pipeline, security) }
        let detector = SchemeDetector {
            try secure(channel.pipeline.syncOperations, security)
        } onPlain: {
            connection.isPlain = true
            try speakHTTP1(channel.pipeline.syncOperations)
        }
        try pipeline.addHandler(detector, position: .before(connection))
    }

    /// Adds the handlers to a new channel that uses HTTP/2 without a negotiation, as fuzz targets do.
    func buildHTTP2(_ channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandlers([socket, connection])
        try speakHTTP2(channel.pipeline.syncOperations)
    }

    /// Makes the connection use TLS, and then the protocol that TLS negotiates (RFC 7301).
    private func secure(
        _ pipeline: ChannelPipeline.SynchronousOperations, _ security: HostConfiguration.Security
    ) throws {
        let negotiation = ApplicationProtocolNegotiationHandler { result, channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if result == .negotiated("h2") { try speakHTTP2(pipeline) } else { try speakHTTP1(pipeline) }
            }
        }
        try pipeline.addHandlers(try security.makeHandlers() + [negotiation], position: .before(connection))
    }

    private func speakHTTP1(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = connection.core.limits.headBytes
        limits.maxHeaderFieldSize = connection.core.limits.headBytes
        limits.maxHeaderFieldCount = connection.core.limits.headFields
        let watch = HeadWatch()
        try pipeline.addHandlers(
            [
                HTTPResponseEncoder(), watch,
                ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: limits)),
                // Requests that are sent ahead wait here, and nothing more is read meanwhile.
                HTTPServerPipelineHandler(),
                PackResponder(connection, watch: watch),
            ], position: .before(connection))
    }

    private func speakHTTP2(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        var settings = NIOHTTP2Handler.ConnectionConfiguration()
        settings.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 1),
            HTTP2Setting(parameter: .maxHeaderListSize, value: connection.core.limits.headBytes),
        ]
        // A fault may state a wrong length.
        settings.contentLengthValidation = .disabled
        let bound = NIOLoopBound(connection, eventLoop: pipeline.eventLoop)
        // The library's handler can be added only at the end, and the connection must come after it.
        pipeline.removeHandler(connection, promise: nil)
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: settings, streamConfiguration: .init()
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandlers([
                    HTTP2FramePayloadToHTTP1ServerCodec(), PackResponder(bound.value, watch: nil),
                ])
            }
        }
        try pipeline.addHandler(connection)
    }
}

/// Chooses TLS or plain HTTP for a connection, by the first byte from the client.
final class SchemeDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The first byte of a TLS handshake, RFC 8446 section 5.1; no request of HTTP begins with it.
    private static let handshake: UInt8 = 22

    private let onSecured: () throws -> Void
    private let onPlain: () throws -> Void

    /// One of the two closures is called once, and adds handlers after this one.
    init(onSecured: @escaping () throws -> Void, onPlain: @escaping () throws -> Void) {
        (self.onSecured, self.onPlain) = (onSecured, onPlain)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let first = Self.unwrapInboundIn(data).readableBytesView.first else { return }
        do {
            if first == Self.handshake { try onSecured() } else { try onPlain() }
        } catch {
            return context.fireErrorCaught(error)
        }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
