import NIOCore

/// Sends bytes as fast as they are taken, until the channel closes.
final class BulkSender: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let chunk = ByteBuffer(repeating: 0x48, count: 16 << 10)

    private let greeting: ByteBuffer?
    private var left: Int
    private var isBusy = false

    /// Sends `greeting`, then `bytes` bytes.
    init(greeting: ByteBuffer? = nil, bytes: Int) {
        self.greeting = greeting
        left = max(0, bytes)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if let greeting { context.write(wrapOutboundOut(greeting), promise: nil) }
        send(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        send(context)
        context.fireChannelWritabilityChanged()
    }

    private func send(_ context: ChannelHandlerContext) {
        // A flush may make the channel writable and come back here at once.
        guard !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        while left > 0, context.channel.isActive, context.channel.isWritable {
            let slice = Self.chunk.getSlice(at: 0, length: min(left, Self.chunk.readableBytes)) ?? Self.chunk
            left -= slice.readableBytes
            context.write(wrapOutboundOut(slice), promise: nil)
        }
        context.flush()
        // The others on this loop have their turn first.
        if left > 0, context.channel.isActive, context.channel.isWritable {
            context.eventLoop.assumeIsolated().execute { [self] in send(context) }
        }
    }
}
