import NIOCore

/// Delays the first bytes of a client, so that its TLS handshake is answered later.
///
/// It stands between the socket and TLS. The socket's receive buffer bounds what it keeps.
final class HandshakeDelay: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never

    private let delay: Duration
    private let onBegin: () -> Void
    private var held: [NIOAny] = []
    private var timer: Scheduled<Void>?
    private var isOver = false
    private var wantsRead = false

    /// `onBegin` is called when the first bytes arrive.
    init(_ delay: Duration, onBegin: @escaping () -> Void) {
        (self.delay, self.onBegin) = (delay, onBegin)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return context.fireChannelRead(data) }
        held.append(data)
        guard timer == nil else { return }
        onBegin()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { self.letPass(context) }
    }

    func read(context: ChannelHandlerContext) {
        if timer == nil || isOver { context.read() } else { wantsRead = true }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        held = []
        context.fireChannelInactive()
    }

    private func letPass(_ context: ChannelHandlerContext) {
        isOver = true
        for data in held { context.fireChannelRead(data) }
        held = []
        context.fireChannelReadComplete()
        if wantsRead { context.read() }
    }
}
