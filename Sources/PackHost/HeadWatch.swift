import NIOCore

/// Stands before the decoder, and tells the connection when bytes of a request come.
final class HeadWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Fired through the pipeline ahead of bytes from the client.
    struct BytesCame {}

    /// Whether a line end was among the bytes since this was last set to false.
    var sawLineEnd = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(BytesCame())
        if !sawLineEnd {
            sawLineEnd = Self.unwrapInboundIn(data).readableBytesView.contains(UInt8(ascii: "\n"))
        }
        context.fireChannelRead(data)
    }
}
