import NIOCore
import Synchronization

/// The result of a step of a probe: a value, or an error that says what was attempted.
///
/// It is settled once, while a caller waits for it. Later results are ignored, as the caller's loop may be gone.
final class Goal<Value: Sendable>: Sendable {
    let attempt: String
    private let peer: String
    private let promise: EventLoopPromise<Value>
    private let isSettled = Atomic(false)

    /// A goal whose future belongs to `loop`.
    init(_ attempt: String, peer: String, on loop: any EventLoop) {
        self.attempt = attempt
        self.peer = peer
        promise = loop.makePromise()
    }

    /// The value or error with which it is settled.
    var result: EventLoopFuture<Value> { promise.futureResult }

    /// Settles it with `value`.
    func reach(_ value: Value) {
        if settle() { promise.succeed(value) }
    }

    /// Settles it with an error.
    func miss(_ outcome: ProbeError.Outcome) {
        if settle() { promise.fail(ProbeError(attempt: attempt, peer: peer, outcome: outcome)) }
    }

    /// Settles it with `CancellationError`.
    func cancel() {
        if settle() { promise.fail(CancellationError()) }
    }

    private func settle() -> Bool { !isSettled.exchange(true, ordering: .acquiringAndReleasing) }
}

/// Fails a goal when its channel fails or ends, or if the channel has ended already.
final class EndWatch<Value: Sendable>: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let goal: Goal<Value>

    init(_ goal: Goal<Value>) { self.goal = goal }

    func handlerAdded(context: ChannelHandlerContext) {
        if !context.channel.isActive { goal.miss(.closed(nil)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        goal.miss(.closed(nil))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        goal.miss(.closed("\(error)"))
        context.close(promise: nil)
    }
}
