import NIOCore

/// The handler next to the socket: it counts bytes, and ends a connection without involving TLS.
final class SocketEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Triggered on a channel to close it at once.
    struct HostCloses: Sendable {}

    /// Bytes that the client sent.
    private(set) var received: Int64 = 0
    /// Bytes that were handed to the kernel.
    private(set) var sent: Int64 = 0

    private let linger: TimeAmount
    private var context: ChannelHandlerContext?
    private var deadline: Scheduled<Void>?

    /// After its output has ended, a connection waits this long for the client to end its own.
    init(linger: Duration) {
        self.linger = TimeAmount(linger)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        self.context = nil
    }

    /// Sends a FIN after everything that was written, without a message of TLS; closes when the client has ended too.
    func endOutput() {
        guard let context else { return }
        close(context: context, mode: .output, promise: nil)
    }

    /// Sends a reset.
    ///
    /// Bytes that the client has not acknowledged are lost.
    func reset() {
        guard let context else { return }
        KernelSocket.resetOnClose(context.channel)
        context.close(promise: nil)
    }

    /// Bytes that the client has not acknowledged; nil if the socket is closed.
    var unacknowledged: Int64? { context.flatMap { KernelSocket.unacknowledged(of: $0.channel) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Int64(Self.unwrapInboundIn(data).readableBytes)
        // After the end of output, bytes from the client are read but not answered: closing a socket with unread bytes
        // sends a reset, which can take the response away from the client (RFC 9112 §9.6).
        if deadline == nil { context.fireChannelRead(data) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if deadline != nil { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let count = Int64(Self.unwrapOutboundIn(data).readableBytes)
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenSuccess { self.sent += count }
        context.write(data, promise: promise)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is HostCloses else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        context.close(promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output, deadline == nil {
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: linger) { context.close(promise: nil) }
        }
        // NIO closes the whole connection once both directions have ended.
        context.close(mode: mode, promise: promise)
        if mode == .output { context.read() }
    }
}
