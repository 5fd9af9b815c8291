import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTP2
import PackFormat

/// Answers requests: turns each into a script, and plays the scripts one at a time.
///
/// Over HTTP/1.1 there is one responder per connection, over HTTP/2 one per stream. `PackResponder+Answer.swift` has
/// the answers.
final class PackResponder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    enum Phase {
        /// No request is under way.
        case waiting
        /// The first bytes of a head have arrived, but not the last.
        case readingHead
        /// A request is under way, and its file is being opened.
        case opening
        case responding(ResponsePlayer)
        /// The connection or the stream ends; whatever still arrives is ignored.
        case ending
    }

    let connection: PackConnection
    /// The handler before the HTTP/1.1 decoder; nil for a stream of HTTP/2, which has one head that comes as a whole.
    let watch: HeadWatch?
    var phase = Phase.waiting
    /// Whether the whole request has arrived.
    private var requestEnded = false

    init(_ connection: PackConnection, watch: HeadWatch?) {
        (self.connection, self.watch) = (connection, watch)
    }

    var core: HostCore { connection.core }
    var number: Int { connection.number }
    var isStream: Bool { watch == nil }

    func channelInactive(context: ChannelHandlerContext) {
        abandon(core.isClosing ? .hostClosed : .clientClosed)
        phase = .ending
        if isStream { connection.endTurn(of: self) }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = Self.unwrapInboundIn(data)
        if case .end = part { requestEnded = true }
        guard case .head(let head) = part else { return }
        switch phase {
        case .waiting, .readingHead:
            connection.stopTimer()
            guard isStream else { return answer(head, context) }
            // Streams wait for one another, like requests of HTTP/1.1 that are sent ahead.
            connection.takeTurn(self) { [self] in if case .waiting = phase { answer(head, context) } }
        case .opening, .responding, .ending: return
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch (event, phase) {
        case (is HeadWatch.BytesCame, .waiting): headBegins(context)
        case (ChannelEvent.inputClosed, .waiting) where !isStream, (ChannelEvent.inputClosed, .readingHead):
            close(context, .client)
        case (ChannelEvent.inputClosed, _): endInput()
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (phase, error) {
        case (.ending, _): break
        case (.waiting, let error as HTTPParserError), (.readingHead, let error as HTTPParserError):
            connection.stopTimer()
            refuse(error, context)
        case (_, let error as IOError) where [ECONNRESET, EPIPE].contains(error.errnoCode): close(context, .client)
        default: close(context, .failed(reason: "\(error)"))
        }
    }

    /// Notes that the client sends nothing more on the connection.
    func endInput() {
        connection.inputEnded = true
        if case .responding(let player) = phase { player.clientEndedInput = true }
    }

    /// Stops the response under way, and reports its end: the connection or the stream is gone, or is about to be.
    func abandon(_ cause: HostTransfer.Cause) {
        switch phase {
        case .responding(let player):
            player.abandon()
            // A client may leave when it has as many bytes as the head stated, before the frame that ends the stream.
            report(player, player.hasSentAll ? .complete : cause)
        case .opening:
            let none = HostTransfer(status: nil, from: 0, planned: 0, handed: 0, unacknowledged: nil, cause: cause)
            core.report(.finished(none), on: number)
        case .waiting, .readingHead, .ending: return
        }
        phase = .ending
    }

    /// Starts the deadline of a head, whose first bytes have arrived.
    private func headBegins(_ context: ChannelHandlerContext) {
        phase = .readingHead
        connection.startTimer(core.limits.head) {
            self.refuse(.requestTimeout, "the head was not complete in time", ending: .head, context)
        }
    }

    /// Plays a script as the response to the current request.
    func play(
        _ script: ResponseScript, file: PackFile? = nil, of resource: String? = nil, _ context: ChannelHandlerContext
    ) {
        for decision in script.decisions { core.report(.fault(line: decision), on: number) }
        let player = ResponsePlayer(
            script, file: file, of: resource, on: (context, connection.socket, core),
            onHead: { [core, number] in
                let length = script.head.headers.single("Content-Length").flatMap { Int64($0) }
                core.report(.head(status: Int(script.head.status.code), length: length), on: number)
            },
            onEnd: { self.end($0, context) })
        phase = .responding(player)
        player.clientEndedInput = connection.inputEnded
        player.play()
    }

    private func end(_ cause: HostTransfer.Cause, _ context: ChannelHandlerContext) {
        guard case .responding(let player) = phase else { return }
        let cause = isStream ? cause : cause.overHTTP1
        report(player, cause)
        switch cause {
        case .complete where isStream:
            endStream(player.script.trailers, context)
        case .complete where player.script.endsConnection || connection.inputEnded:
            leave()
            if let trailers = player.script.trailers { endBody(trailers, context) }
            context.close(mode: .output, promise: nil)
        case .complete:
            phase = .waiting
            watch?.sawLineEnd = false
            connection.rest()
            // From here on, a request that was sent ahead may begin.
            endBody(player.script.trailers, context)
        case .cut(reset: false):
            leave()
            connection.socket.endOutput()
        case .cut(reset: true), .fileFault:
            leave()
            connection.socket.reset()
        case .streamReset:
            phase = .ending
            resetStream(.internalError, context)
        case .goAway:
            leave()
            // A client may safely repeat a request that was not begun.
            let stream = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
            connection.goAway(last: player.headIsSent ? stream ?? .maxID : .rootStream)
        case .writeStall:
            leave(.writeStall)
            connection.socket.reset()
        case .clientClosed where isStream, .hostClosed where isStream:
            phase = .ending
            connection.close(.client)
        case .clientClosed, .hostClosed:
            leave(.client)
            context.close(promise: nil)
        }
    }

    /// Ends a body in chunks or frames, with trailer fields if there are any.
    @discardableResult
    private func endBody(_ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        let fields = trailers.flatMap { $0.isEmpty ? nil : $0 }
        return context.writeAndFlush(Self.wrapOutboundOut(.end(fields)))
    }

    private func report(_ player: ResponsePlayer, _ cause: HostTransfer.Cause) {
        let transfer = HostTransfer(
            status: player.headIsSent ? Int(player.script.head.status.code) : nil,
            from: player.script.from, planned: player.script.planned, handed: player.handed,
            unacknowledged: connection.socket.unacknowledged, cause: cause)
        core.report(.finished(transfer), on: number)
    }

    /// Ends the stream and lets the next one begin; resets a stream whose request is not complete (RFC 9113 section
    /// 8.1).
    func endStream(_ trailers: HTTPHeaders? = nil, _ context: ChannelHandlerContext) {
        phase = .ending
        endBody(trailers, context).assumeIsolated().whenSuccess {
            // The end of a request without a body comes directly after its head.
            context.eventLoop.assumeIsolated().execute {
                if !self.requestEnded { self.resetStream(.noError, context) }
                self.connection.endTurn(of: self)
            }
        }
    }

    /// Ends only the stream: RFC 9113 section 6.4.
    private func resetStream(_ reason: HTTP2ErrorCode, _ context: ChannelHandlerContext) {
        let codec = try? context.pipeline.syncOperations.context(handlerType: HTTP2FramePayloadToHTTP1ServerCodec.self)
        codec?.writeAndFlush(NIOAny(HTTP2Frame.FramePayload.rstStream(reason)), promise: nil)
    }

    /// Records why the connection ends; whatever the client still sends is ignored.
    func leave(_ cause: HostConnectionEnd.Cause = .host) {
        phase = .ending
        connection.leave(cause)
    }

    /// Closes the connection, or the stream, at once.
    private func close(_ context: ChannelHandlerContext, _ cause: HostConnectionEnd.Cause) {
        abandon(.clientClosed)
        if isStream { phase = .ending } else { leave(cause) }
        context.close(promise: nil)
    }
}

extension HostTransfer.Cause {
    /// The equivalent in HTTP/1.1, which has no frames.
    fileprivate var overHTTP1: Self {
        switch self {
        case .streamReset: .cut(reset: true)
        case .goAway: .cut(reset: false)
        case .complete, .cut, .clientClosed, .writeStall, .fileFault, .hostClosed: self
        }
    }
}

/// Stands before the decoder, and signals when bytes of a request arrive.
final class HeadWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Fired through the pipeline before bytes from the client.
    struct BytesCame {}

    /// Whether a line end has arrived since this was last set to false.
    var sawLineEnd = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(BytesCame())
        if !sawLineEnd {
            sawLineEnd = Self.unwrapInboundIn(data).readableBytesView.contains(UInt8(ascii: "\n"))
        }
        context.fireChannelRead(data)
    }
}
