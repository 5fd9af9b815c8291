import NIOCore
import NIOHTTP2

/// One connection of a host: it tells when it begins and ends, and ends it where nothing is asked for too long.
///
/// It stands last in the pipeline. Requests are for ``PackResponder``.
final class PackConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never

    let number: Int
    let core: HostCore
    /// The handler next to the socket.
    let socket: SocketEnd
    /// Whether its client does without TLS at a host that has it.
    var isPlain = false
    /// Whether the client said that it sends nothing more.
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
        // Before the listener is told, so that no more connections are ever counted than were granted.
        core.forget(number)
        context.fireChannelInactive()
    }

    /// Frames of HTTP/2 that are about the connection: the library has done what they ask for.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, endCause == nil {
            inputEnded = true
            if let turn = turns.first { turn.responder.endInput() } else if !hasResponder { close(.client) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of one stream is told to the stream.
        if endCause == nil, !(error is NIOHTTP2Errors.StreamError) { close(.failed(reason: "\(error)")) }
    }

    /// Whether a responder of HTTP/1.1 is in the pipeline, which sees first what comes.
    private var hasResponder: Bool {
        (try? context?.pipeline.syncOperations.handler(type: PackResponder.self)) != nil
    }
}

extension PackConnection {
    /// No request is under way: from now on the deadline of the next one runs.
    func rest(beside fault: Duration = .zero) {
        startTimer(core.limits.idle + fault) { self.close(.idle) }
    }

    func startTimer(_ time: Duration, then act: @escaping () -> Void) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time), act)
    }

    func stopTimer() { timer?.cancel() }

    /// From here on nothing of what the client sends is looked at.
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

    /// Has faults of the TLS handshake take part, and waits for the first request.
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
/// Requests of one connection are answered one after the other, and a client is told so (SETTINGS_MAX_CONCURRENT_STREAMS).
extension PackConnection {
    /// Calls `begin` when all that asked before have had their turn.
    func takeTurn(_ responder: PackResponder, _ begin: @escaping () -> Void) {
        turns.append((responder, begin))
        if turns.count == 1 { begin() }
    }

    /// Lets the next one begin where this one had its turn.
    func endTurn(of responder: PackResponder) {
        guard let index = turns.firstIndex(where: { $0.responder === responder }) else { return }
        turns.remove(at: index)
        // Streams hear before the connection that it is gone.
        guard index == 0, endCause == nil, context?.channel.isActive == true else { return }
        if let next = turns.first { return next.begin() }
        guard inputEnded else { return rest() }
        leave(.host)
        socket.endOutput()
    }

    /// Says that the last request was `last` and no further one is taken, and ends the connection: RFC 9113 section 6.8.
    func goAway(last: HTTP2StreamID) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)
        context?.writeAndFlush(NIOAny(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
        socket.endOutput()
    }
}
