import NIOCore

/// Has a connection speak TLS, or do without, as its client begins it.
final class SchemeDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The first byte of a TLS handshake, RFC 8446 section 5.1; no request of HTTP begins with it.
    private static let handshake: UInt8 = 22

    private let security: HostConfiguration.Security
    private let onPlain: () -> Void

    /// `onPlain` is called where the client does without TLS.
    init(_ security: HostConfiguration.Security, onPlain: @escaping () -> Void) {
        (self.security, self.onPlain) = (security, onPlain)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let first = Self.unwrapInboundIn(data).readableBytesView.first else { return }
        do {
            if first == Self.handshake {
                try context.pipeline.syncOperations.addHandlers(security.makeHandlers(), position: .after(self))
            } else {
                onPlain()
            }
        } catch {
            return context.fireErrorCaught(error)
        }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
