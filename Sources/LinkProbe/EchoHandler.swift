import NIOCore

/// Greets the server, and sends messages one after another; the server answers each with its own timestamp.
///
/// Bytes after the last answer go to the next handler.
final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// When a message was sent, read by the server, and answered, in nanoseconds of CLOCK_MONOTONIC.
    struct Echo: Sendable, Equatable {
        let sent, served, received: Int64
    }

    private let greeting: ProbeMessage.Greeting
    private let goal: Goal<[Echo]>
    private var echoes: [Echo] = []
    private var sent: Int64 = 0
    private var received = ByteBuffer()
    private var isDone = false

    /// Makes as many echoes as the greeting announces.
    init(_ greeting: ProbeMessage.Greeting, _ goal: Goal<[Echo]>) {
        self.greeting = greeting
        self.goal = goal
    }

    func handlerAdded(context: ChannelHandlerContext) {
        var message = context.channel.allocator.buffer(capacity: 64)
        ProbeMessage.write(greeting, to: &message)
        guard greeting.echoes > 0 else {
            context.writeAndFlush(wrapOutboundOut(message), promise: nil)
            return finish()
        }
        context.write(wrapOutboundOut(message), promise: nil)
        send(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.stamp
        guard !isDone else { return context.fireChannelRead(data) }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        do {
            guard let (number, stamp) = try ProbeMessage.readEcho(from: &received) else { return }
            guard number == UInt64(echoes.count) else { throw ProbeMessage.Malformed() }
            echoes.append(Echo(sent: sent, served: stamp, received: now))
        } catch {
            isDone = true
            goal.miss(.unexpected("something other than an echo"))
            return context.close(promise: nil)
        }
        guard echoes.count >= greeting.echoes else { return send(context) }
        finish()
        if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
        received = ByteBuffer()
    }

    private func send(_ context: ChannelHandlerContext) {
        var message = context.channel.allocator.buffer(capacity: ProbeMessage.echoBytes)
        sent = NIODeadline.stamp
        ProbeMessage.writeEcho(UInt64(echoes.count), sent, to: &message)
        context.writeAndFlush(wrapOutboundOut(message), promise: nil)
    }

    private func finish() {
        isDone = true
        goal.reach(echoes)
    }
}
