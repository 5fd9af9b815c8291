import NIOCore

/// Ends a connection in place of the first thing that TLS would send.
final class HandshakeCut: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.ioOnClosedChannel)
        context.close(promise: nil)
    }
}
