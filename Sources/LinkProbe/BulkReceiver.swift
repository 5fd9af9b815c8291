import NIOCore

/// Reads bytes as fast as they come, and logs their arrivals.
final class BulkReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The limits at which the receiver stops.
    struct Limits: Sendable {
        let load: ProbeLoad
        /// The time at which it stops in any case, even if nothing has arrived.
        let deadline: NIODeadline
        let packet: ProbePacket
    }

    private let limits: Limits
    private let goal: Goal<ArrivalLog>
    private var log: ArrivalLog
    private var isDone = false

    init(_ limits: Limits, _ goal: Goal<ArrivalLog>) {
        self.limits = limits
        self.goal = goal
        log = ArrivalLog(packet: limits.packet)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(deadline: limits.deadline) { [self] in finish() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.stamp
        guard !isDone else { return }
        if log.bytes == 0 {
            let end = min(NIODeadline.now() + limits.load.duration, limits.deadline)
            context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [self] in finish() }
        }
        log.note(unwrapInboundIn(data).readableBytes, at: now)
        if log.bytes >= max(1, limits.load.bytes) || isKnown { finish() }
    }

    /// Whether the arrivals show the rate with the uncertainty that the load allows.
    private var isKnown: Bool {
        // A long log is evaluated only at every 64th arrival.
        guard let sufficient = limits.load.sufficient, log.arrivals.count < 64 || log.arrivals.count % 64 == 0 else {
            return false
        }
        return Throughput(log, limits.load).uncertainty.map { $0 <= sufficient } ?? false
    }

    private func finish() {
        guard !isDone else { return }
        isDone = true
        goal.reach(log)
    }
}
