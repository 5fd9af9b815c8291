import NIOCore

/// The server's end of one connection: reads a greeting, answers echoes, then sends payload and receives an upload.
final class ServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case silent
        case echoing(ProbeMessage.Greeting, left: Int)
        /// The number of the upload that may come.
        case sending(upload: UInt64)
        case taking
    }

    private let uploads: UploadTable
    private var received = ByteBuffer()
    private var phase = Phase.silent

    init(_ uploads: UploadTable) { self.uploads = uploads }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.stamp
        if case .taking = phase { return context.fireChannelRead(data) }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        do {
            if case .silent = phase, let greeting = try ProbeMessage.readGreeting(from: &received) {
                phase = .echoing(greeting, left: greeting.echoes)
            }
            if case .echoing(let greeting, let left) = phase { try answer(greeting, left, now, context) }
            if case .sending(let number) = phase, received.readableBytes > 0 { try take(number, context) }
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func answer(
        _ greeting: ProbeMessage.Greeting, _ left: Int, _ now: Int64, _ context: ChannelHandlerContext
    ) throws {
        var left = left
        while left > 0, let (number, _) = try ProbeMessage.readEcho(from: &received) {
            var message = context.channel.allocator.buffer(capacity: ProbeMessage.echoBytes)
            ProbeMessage.writeEcho(number, now, to: &message)
            context.write(wrapOutboundOut(message), promise: nil)
            left -= 1
        }
        context.flush()
        received.discardReadBytes()
        phase = left > 0 ? .echoing(greeting, left: left) : .sending(upload: greeting.upload)
        guard left == 0, greeting.bytes > 0 else { return }
        context.channel.abortOnClose()
        let piece = greeting.pieceBytes > 0 ? greeting.pieceBytes : nil
        try context.pipeline.syncOperations.addHandler(BulkSender(bytes: greeting.bytes, pieceBytes: piece))
    }

    private func take(_ number: UInt64, _ context: ChannelHandlerContext) throws {
        guard let upload = uploads.take(number) else { throw ProbeMessage.Malformed() }
        phase = .taking
        try context.pipeline.syncOperations.addHandlers([
            BulkReceiver(upload.receiver, upload.goal), EndWatch(upload.goal),
        ])
        context.fireChannelRead(wrapInboundOut(received))
        received = ByteBuffer()
    }
}
