import NIOCore
import NIOHTTP2

/// One connection of a host: it reports begin and end, and closes after too long without a request.
///
/// It is the last handler of the pipeline. ``PackResponder`` handles requests.
final class PackConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never

    let number: Int
    let core: HostCore
    /// The handler next to the socket.
    let socket: SocketEnd
    /// Whether the client uses plain HTTP at a host with TLS.
    var isPlain = false
    /// Whether the client has ended its side of the connection.
    var inputEnded = false
    private var context: ChannelHandlerContext?
    private var endCause: HostConnectionEnd.Cause?
    private var timer: Scheduled<Void>?
    /// The streams of HTTP/2 that have a request: the first is answered, the others wait.
    private var turns: [(responder: PackResponder, begin: () -> Void)] = []

    /// The connection with this number.
    init(_ number: Int, core: HostCore, socket: SocketEnd) {
        (self.number, self.core, self.socket) = (number, core, socket)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        let peer = context.remoteAddress
        core.report(
            .opened(
                peer: peer?.ipAddress ?? "", port: peer?.port ?? 0,
                congestionControl: KernelSocket.congestionControl(of: context.channel)), on: number)
        delayHandshake(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        turns.first?.responder.abandon(core.isClosing ? .hostClosed : .clientClosed)
        turns = []
        let cause = endCause ?? (core.isClosing ? .host : .client)
        core.report(.closed(.init(cause: cause, received: socket.received, sent: socket.sent)), on: number)
        // Before the listener learns of the end, so that the count of open connections never exceeds the limit.
        core.forget(number)
        context.fireChannelInactive()
    }

    /// Ignores frames of HTTP/2 about the whole connection: the library has already handled them.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, endCause == nil {
            inputEnded = true
            if let turn = turns.first { turn.responder.endInput() } else if !hasResponder { close(.client) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of one stream is reported to the stream.
        if endCause == nil, !(error is NIOHTTP2Errors.StreamError) { close(.failed(reason: "\(error)")) }
    }

    /// Whether the pipeline has a responder of HTTP/1.1, which sees events first.
    private var hasResponder: Bool {
        (try? context?.pipeline.syncOperations.handler(type: PackResponder.self)) != nil
    }

    /// Starts the deadline for the next request, `fault` later than usual: no request is under way.
    func rest(beside fault: Duration = .zero) {
        startTimer(core.limits.idle + fault) { self.close(.idle) }
    }

    func startTimer(_ time: Duration, then act: @escaping () -> Void) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time), act)
    }

    func stopTimer() { timer?.cancel() }

    /// Stops the deadline and records why the connection ends; whatever the client still sends is ignored.
    func leave(_ cause: HostConnectionEnd.Cause) {
        timer?.cancel()
        endCause = endCause ?? cause
    }

    /// Closes the connection at once.
    func close(_ cause: HostConnectionEnd.Cause) {
        turns.first?.responder.abandon(.clientClosed)
        leave(cause)
        context?.close(promise: nil)
    }

    /// Applies faults of the TLS handshake, and waits for the first request.
    private func delayHandshake(_ context: ChannelHandlerContext) {
        let faults = core.handshakeFaults(of: number)
        let delay = faults.map(\.delay).reduce(.zero, +)
        rest(beside: delay)
        guard !faults.isEmpty else { return }
        let handler = HandshakeDelay(delay) { [core, number] in
            for fault in faults { core.report(.fault(line: "L1 TLS * from=0 try=\(number) \(fault.text)"), on: number) }
        }
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .after(socket))
        } catch {
            close(.failed(reason: "\(error)"))
        }
    }
}

/// HTTP/2, RFC 9113.
///
/// Requests of one connection are answered one after the other; SETTINGS_MAX_CONCURRENT_STREAMS says so to the client.
extension PackConnection {
    /// Calls `begin` when all earlier requests have had their turn.
    func takeTurn(_ responder: PackResponder, _ begin: @escaping () -> Void) {
        turns.append((responder, begin))
        if turns.count == 1 { begin() }
    }

    /// Ends the turn of a responder, and lets the next one begin.
    func endTurn(of responder: PackResponder) {
        guard let index = turns.firstIndex(where: { $0.responder === responder }) else { return }
        turns.remove(at: index)
        // Streams learn that the connection is gone before the connection does.
        guard index == 0, endCause == nil, context?.channel.isActive == true else { return }
        if let next = turns.first { return next.begin() }
        guard inputEnded else { return rest() }
        leave(.host)
        socket.endOutput()
    }

    /// Sends GOAWAY with `last` as the last request that is handled, and ends the connection: RFC 9113 section 6.8.
    func goAway(last: HTTP2StreamID) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)
        context?.writeAndFlush(NIOAny(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
        socket.endOutput()
    }
}
