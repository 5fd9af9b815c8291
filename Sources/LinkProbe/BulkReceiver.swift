import NIOCore

/// Takes bytes as fast as they come, and notes when.
final class BulkReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// When enough has arrived.
    struct Limits: Sendable {
        /// From the first byte on.
        let duration: Duration
        let bytes: Int
        /// Whatever has arrived by then; but not before the first byte.
        let deadline: NIODeadline
    }

    typealias OutboundOut = ByteBuffer

    private let greeting: ByteBuffer?
    private let limits: Limits
    private let goal: Goal<ArrivalLog>
    private var log = ArrivalLog()
    private var isDone = false

    /// Sends `greeting`, and takes what comes.
    init(greeting: ByteBuffer? = nil, _ limits: Limits, _ goal: Goal<ArrivalLog>) {
        self.greeting = greeting
        self.limits = limits
        self.goal = goal
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if let greeting { context.writeAndFlush(wrapOutboundOut(greeting), promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.stamp
        guard !isDone else { return }
        if log.bytes == 0 {
            let end = min(NIODeadline.now() + limits.duration, limits.deadline)
            context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [self] in finish() }
        }
        log.note(unwrapInboundIn(data).readableBytes, at: now)
        if log.bytes >= limits.bytes { finish() }
    }

    private func finish() {
        guard !isDone else { return }
        isDone = true
        goal.reach(log)
    }
}
