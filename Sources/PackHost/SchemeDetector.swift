import NIOCore

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
