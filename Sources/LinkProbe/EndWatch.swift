import NIOCore

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
