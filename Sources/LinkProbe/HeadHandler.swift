import NIOCore

/// Sends an HTTP request, reads the head of the answer, and removes itself.
final class HeadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let question: String
    private let goal: Goal<HTTPHead>
    private var received = ByteBuffer()
    private var isDone = false

    init(_ question: String, _ goal: Goal<HTTPHead>) {
        self.question = question
        self.goal = goal
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: question)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        let view = received.readableBytesView
        guard let end = HeadHandler.end(of: view) else {
            if view.count > HTTPHead.longest { miss(context, "a response head without an end") }
            return
        }
        guard let head = HTTPHead(view[..<end]) else {
            return miss(context, "something other than HTTP/1.1")
        }
        isDone = true
        goal.reach(head)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func miss(_ context: ChannelHandlerContext, _ answer: String) {
        isDone = true
        goal.miss(.unexpected(answer))
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// The place of the empty line that ends a head.
    private static func end(of view: ByteBufferView) -> ByteBufferView.Index? {
        var isLineEmpty = false
        for index in view.indices {
            switch view[index] {
            case UInt8(ascii: "\n") where isLineEmpty: return index
            case UInt8(ascii: "\n"): isLineEmpty = true
            case UInt8(ascii: "\r") where isLineEmpty: break
            default: isLineEmpty = false
            }
        }
        return nil
    }
}
