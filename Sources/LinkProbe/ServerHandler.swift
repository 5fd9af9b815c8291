import NIOCore

/// The server's end of one connection: reads a greeting, and does what it says.
final class ServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let uploads: UploadTable
    private var received = ByteBuffer()
    private var greeting: ProbeMessage.Greeting?

    init(_ uploads: UploadTable) { self.uploads = uploads }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.stamp
        switch greeting {
        case .sink: return context.fireChannelRead(data)
        case .source: return
        case .echo, nil: received.writeImmutableBuffer(unwrapInboundIn(data))
        }
        do {
            if greeting == nil {
                guard let greeting = try ProbeMessage.readGreeting(from: &received) else { return }
                self.greeting = greeting
                try begin(greeting, context)
            }
            if greeting == .echo { try answer(now, context) }
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func begin(_ greeting: ProbeMessage.Greeting, _ context: ChannelHandlerContext) throws {
        switch greeting {
        case .echo:
            break
        case .source(let bytes):
            context.channel.abortOnClose()
            try context.pipeline.syncOperations.addHandler(BulkSender(bytes: bytes))
        case .sink(let number):
            guard let upload = uploads.take(number) else { throw ProbeMessage.Malformed() }
            try context.pipeline.syncOperations.addHandlers([
                BulkReceiver(upload.limits, upload.goal), EndWatch(upload.goal),
            ])
            if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
            received = ByteBuffer()
        }
    }

    private func answer(_ now: Int64, _ context: ChannelHandlerContext) throws {
        while let (number, _) = try ProbeMessage.readEcho(from: &received) {
            var message = context.channel.allocator.buffer(capacity: ProbeMessage.echoBytes)
            ProbeMessage.writeEcho(number, now, to: &message)
            context.write(wrapOutboundOut(message), promise: nil)
        }
        context.flush()
        received.discardReadBytes()
    }
}
