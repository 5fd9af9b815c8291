import NIOCore

/// Sends bytes as fast as the channel takes them, or in pieces, until all are sent or the channel closes.
final class BulkSender: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let chunkBytes = 16 << 10
    /// The time between two pieces: long enough for a relay to read each by itself.
    private static let pieceTime = TimeAmount.milliseconds(10)

    private let pieceBytes: Int?
    private let chunk: ByteBuffer
    private var left: Int
    private var isBusy = false

    /// Sends `bytes` bytes: in pieces of `pieceBytes` bytes, or as fast as possible if that is `nil`.
    init(bytes: Int, pieceBytes: Int?) {
        self.pieceBytes = pieceBytes
        chunk = ByteBuffer(repeating: 0x48, count: min(max(1, pieceBytes ?? Self.chunkBytes), Self.chunkBytes))
        left = max(0, bytes)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if pieceBytes == nil { send(context) } else { sendPiece(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if pieceBytes == nil { send(context) }
        context.fireChannelWritabilityChanged()
    }

    private func sendPiece(_ context: ChannelHandlerContext) {
        guard left > 0, context.channel.isActive else { return }
        write(context)
        context.flush()
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pieceTime) { [self] in sendPiece(context) }
    }

    private func send(_ context: ChannelHandlerContext) {
        // A flush may make the channel writable and come back here at once.
        guard !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        while left > 0, context.channel.isActive, context.channel.isWritable { write(context) }
        context.flush()
        // Other channels of this loop have their turn first.
        if left > 0, context.channel.isActive, context.channel.isWritable {
            context.eventLoop.assumeIsolated().execute { [self] in send(context) }
        }
    }

    private func write(_ context: ChannelHandlerContext) {
        let slice = chunk.getSlice(at: 0, length: min(left, chunk.readableBytes)) ?? chunk
        left -= slice.readableBytes
        context.write(wrapOutboundOut(slice), promise: nil)
    }
}
