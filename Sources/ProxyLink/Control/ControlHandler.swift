internal import LinkModel
internal import NIOCore
internal import NIOHTTP1

/// Answers the requests of one client of an API in turn, and closes its connection if it sends none in time.
final class ControlHandler: ChannelInboundHandler {
    typealias InboundIn = NIOHTTPServerRequestFull
    typealias OutboundOut = HTTPServerResponsePart

    private let service: APIService
    private var deadline: Scheduled<Void>?
    /// Sends the events that follow an answer.
    private var follower: Task<Void, Never>?

    init(_ service: APIService) { self.service = service }

    func channelActive(context: ChannelHandlerContext) {
        awaitRequest(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        follower?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let request = unwrapInboundIn(data)
        let asked = APIRequest(request, from: context.remoteAddress)
        let service = service
        let answer = context.eventLoop.makeFutureWithTask { await service.respond(asked) }
        answer.assumeIsolated().whenSuccess { answer in
            self.send(answer, isLast: !request.head.isKeepAlive, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error ends only the connection of this client.
        context.close(promise: nil)
    }

    private func send(_ answer: APIResponse, isLast: Bool, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        if let events = answer.events { return send(answer, events, context) }
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenSuccess {
            if isLast { context.close(promise: nil) } else { self.awaitRequest(context) }
        }
    }

    /// Sends the head, the body and then each event as it comes; waits until the client has taken an event.
    private func send(_ answer: APIResponse, _ events: AsyncStream<[UInt8]>, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
        let channel = context.channel
        follower = Task {
            for await event in events {
                let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: event)))
                do { try await channel.writeAndFlush(part) } catch { break }
            }
            channel.close(promise: nil)
        }
    }

    /// Gives the client its time, from now on, to send a whole request and to read the answer.
    private func awaitRequest(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(service.patience)) {
            context.close(promise: nil)
        }
    }
}
