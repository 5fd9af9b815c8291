import Glibc
import NIOCore

/// Limits the number of open connections: further ones wait in the socket's backlog.
///
/// It is the first handler of the listening channel's pipeline, and holds back its reads.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    /// How long accepting pauses after an error that passes by itself, such as too many open files.
    private static let rest = TimeAmount.milliseconds(100)

    private let capacity: Int
    private let core: HostCore
    private var lastError: (any Error)?
    private var open = 0
    private var holdsRead = false
    private var rests = false

    /// Accepts at most `capacity` connections at a time.
    init(capacity: Int, core: HostCore) {
        (self.capacity, self.core) = (capacity, core)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        let gate = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        Self.unwrapInboundIn(data).closeFuture.hop(to: loop).whenComplete { _ in
            let (gate, context) = gate.value
            gate.open -= 1
            gate.admit(context)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        holdsRead = true
        admit(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // After EMFILE and the like the connection stays in the backlog: without a pause the loop would spin on it.
        lastError = error
        rests = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.rest) {
            self.rests = false
            self.admit(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !core.isClosing {
            core.report(.listenerFailed(reason: lastError.map { "\($0)" } ?? "it was closed unexpectedly"), on: 0)
        }
        context.fireChannelInactive()
    }

    private func admit(_ context: ChannelHandlerContext) {
        guard holdsRead, !rests, open < capacity else { return }
        holdsRead = false
        context.read()
    }
}
