import Glibc
import NIOCore
import NIOHTTP1

/// One connection of a host: requests become scripts, scripts are played, one at a time.
///
/// What each request is answered with is in `PackConnection+Answer.swift`.
final class PackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    enum Phase {
        /// No request is under way.
        case waiting
        /// The first bytes of a head are here, the last are not.
        case readingHead
        /// A request is under way, and its file is being opened.
        case opening
        case responding(ResponsePlayer)
        /// The connection ends; what still comes is not looked at.
        case ending
    }

    let number: Int
    let core: HostCore
    let socket: SocketEnd
    let watch: HeadWatch
    var phase = Phase.waiting
    /// Whether its client does without TLS at a host that has it.
    var isPlain = false
    /// Whether the client said that it sends nothing more.
    private var inputEnded = false
    private var endCause: HostConnectionEnd.Cause?
    private var deadline: Scheduled<Void>?

    /// The connection with this number; `socket` is the handler next to its socket, `watch` the one before HTTP.
    init(_ number: Int, core: HostCore, socket: SocketEnd, watch: HeadWatch) {
        (self.number, self.core, self.socket, self.watch) = (number, core, socket, watch)
    }

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
        deadline?.cancel()
        if case .responding(let player) = phase {
            player.abandon()
            report(player, core.isClosing ? .hostClosed : .clientClosed)
        }
        phase = .ending
        let cause = endCause ?? (core.isClosing ? .host : .client)
        core.report(.closed(.init(cause: cause, received: socket.received, sent: socket.sent)), on: number)
        // Before the listener is told, so that no more connections are ever counted than were granted.
        core.forget(number)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = Self.unwrapInboundIn(data) else { return }
        switch phase {
        case .waiting, .readingHead:
            deadline?.cancel()
            answer(head, context)
        case .opening, .responding, .ending: return
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch (event, phase) {
        case (is HeadWatch.BytesCame, .waiting): headBegins(context)
        case (ChannelEvent.inputClosed, .waiting), (ChannelEvent.inputClosed, .readingHead): close(context, .client)
        case (ChannelEvent.inputClosed, _):
            inputEnded = true
            if case .responding(let player) = phase { player.clientEndedInput = true }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (phase, error) {
        case (.ending, _): break
        case (.waiting, let error as HTTPParserError), (.readingHead, let error as HTTPParserError):
            deadline?.cancel()
            refuse(error, context)
        case (_, let error as IOError) where [ECONNRESET, EPIPE].contains(error.errnoCode): close(context, .client)
        default: close(context, .failed(reason: "\(error)"))
        }
    }
}

extension PackConnection {
    /// The first bytes of a head have come: from now on its deadline runs.
    private func headBegins(_ context: ChannelHandlerContext) {
        phase = .readingHead
        limit(core.limits.head, context) {
            self.refuse(.requestTimeout, "the head was not complete in time", ending: .head, context)
        }
    }

    private func wait(_ context: ChannelHandlerContext, beside fault: Duration = .zero) {
        phase = .waiting
        watch.sawLineEnd = false
        limit(core.limits.idle + fault, context) { self.close(context, .idle) }
    }

    /// Has faults of the TLS handshake take part, and waits for the first request.
    private func delayHandshake(_ context: ChannelHandlerContext) {
        let faults = core.handshakeFaults(of: number)
        let delay = faults.map(\.delay).reduce(.zero, +)
        wait(context, beside: delay)
        guard !faults.isEmpty else { return }
        let handler = HandshakeDelay(delay) { [core, number] in
            for fault in faults { core.report(.fault(line: "L1 TLS * from=0 try=\(number) \(fault.text)"), on: number) }
        }
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .after(socket))
        } catch {
            close(context, .failed(reason: "\(error)"))
        }
    }

    private func limit(_ time: Duration, _ context: ChannelHandlerContext, then act: @escaping () -> Void) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time), act)
    }

    /// Plays a script as the response to the request that is under way.
    func play(
        _ script: ResponseScript, file: PackFile? = nil, of resource: String? = nil, _ context: ChannelHandlerContext
    ) {
        for decision in script.decisions { core.report(.fault(line: decision), on: number) }
        let player = ResponsePlayer(
            script, file: file, of: resource, on: (context, socket, core),
            onHead: { [core, number] in
                let length = script.head.headers.single("Content-Length").flatMap { Int64($0) }
                core.report(.head(status: Int(script.head.status.code), length: length), on: number)
            },
            onEnd: { self.end($0, context) })
        phase = .responding(player)
        player.clientEndedInput = inputEnded
        player.play()
    }

    private func end(_ cause: HostTransfer.Cause, _ context: ChannelHandlerContext) {
        guard case .responding(let player) = phase else { return }
        report(player, cause)
        switch cause {
        case .complete where player.script.endsConnection || inputEnded:
            leave(context)
            if let trailers = player.script.trailers { endChunks(trailers, context) }
            context.close(mode: .output, promise: nil)
        case .complete:
            wait(context)
            // From here on a request that was sent ahead may begin.
            endChunks(player.script.trailers, context)
        case .cut(reset: false):
            leave(context)
            socket.endOutput()
        case .cut(reset: true), .fileFault:
            leave(context)
            socket.reset()
        case .writeStall:
            leave(context, .writeStall)
            socket.reset()
        case .clientClosed, .hostClosed:
            leave(context, .client)
            context.close(promise: nil)
        }
    }

    /// Ends the body where it comes in chunks, with fields behind it.
    private func endChunks(_ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) {
        let fields = trailers.flatMap { $0.isEmpty ? nil : $0 }
        context.writeAndFlush(Self.wrapOutboundOut(.end(fields)), promise: nil)
    }

    private func report(_ player: ResponsePlayer, _ cause: HostTransfer.Cause) {
        let transfer = HostTransfer(
            status: player.headIsSent ? Int(player.script.head.status.code) : nil,
            from: player.script.from, planned: player.script.planned, handed: player.handed,
            unacknowledged: socket.unacknowledged, cause: cause)
        core.report(.finished(transfer), on: number)
    }

    /// From here on nothing of what the client sends is looked at.
    func leave(_ context: ChannelHandlerContext, _ cause: HostConnectionEnd.Cause = .host) {
        deadline?.cancel()
        phase = .ending
        endCause = endCause ?? cause
    }

    /// Closes the connection at once.
    private func close(_ context: ChannelHandlerContext, _ cause: HostConnectionEnd.Cause) {
        if case .responding(let player) = phase {
            player.abandon()
            report(player, .clientClosed)
        }
        leave(context, cause)
        context.close(promise: nil)
    }
}

/// Stands before the decoder, and tells the connection when bytes of a request come.
final class HeadWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Fired through the pipeline ahead of bytes from the client.
    struct BytesCame {}

    /// Whether a line end was among the bytes since this was last set to false.
    var sawLineEnd = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(BytesCame())
        if !sawLineEnd {
            sawLineEnd = Self.unwrapInboundIn(data).readableBytesView.contains(UInt8(ascii: "\n"))
        }
        context.fireChannelRead(data)
    }
}
