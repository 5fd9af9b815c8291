import NIOCore

/// Sends messages that the server answers with its stamp, the next one when the last one is back.
final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// When a message was sent, read by the server, and back; CLOCK_MONOTONIC nanoseconds.
    struct Echo: Sendable, Equatable {
        let sent, served, received: Int64
    }

    private let count: Int
    private let end: NIODeadline
    private let goal: Goal<[Echo]>
    private var echoes: [Echo] = []
    private var sent: Int64 = 0
    private var received = ByteBuffer()
    private var isDone = false

    /// Makes `count` echoes, fewer if they take until `end`.
    init(count: Int, end: NIODeadline, _ goal: Goal<[Echo]>) {
        self.count = max(1, count)
        self.end = end
        self.goal = goal
    }

    func handlerAdded(context: ChannelHandlerContext) {
        var greeting = context.channel.allocator.buffer(capacity: 64)
        ProbeMessage.write(.echo, to: &greeting)
        context.write(wrapOutboundOut(greeting), promise: nil)
        send(context)
        // After the end the first one alone is waited for.
        context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [self] in
            if !echoes.isEmpty { finish() }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.stamp
        guard !isDone else { return }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        do {
            guard let (number, stamp) = try ProbeMessage.readEcho(from: &received) else { return }
            guard number == UInt64(echoes.count) else { throw ProbeMessage.Malformed() }
            echoes.append(Echo(sent: sent, served: stamp, received: now))
        } catch {
            isDone = true
            goal.miss(.unexpected("something else than an echo"))
            return context.close(promise: nil)
        }
        if echoes.count >= count || NIODeadline.now() >= end { finish() } else { send(context) }
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
