internal import Glibc
internal import LinkModel
internal import NIOCore

/// The socket at one end of a connection: reads only on request, and reports its events to the connection.
final class SocketEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let end: End
    let channel: any Channel
    private var connection: Connection?
    private var isReadPending = false
    /// Whether bytes have come since the last read ended.
    private var hasReceived = false
    /// Whether the last read filled a buffer so large that much more is likely to wait.
    private(set) var hasFilledBuffer = false
    /// Below this number of bytes, a copy costs no more than the system calls that avoid it.
    private static let spliceBytes = 8 * 1024
    /// Whether most bytes are moved inside the kernel, so that reads need only small buffers.
    var expectsSplice = false {
        didSet {
            guard expectsSplice != oldValue, let tuning else { return }
            tuning.applyReads(to: channel, from: end, readLimit: connection?.engine.readLimit, isSmall: expectsSplice)
        }
    }
    /// Whether the peer has sent its FIN.
    private(set) var isInputClosed = false
    /// Whether no more is written, and FIN follows what was written.
    private(set) var isFinishing = false
    /// Whether it is being closed, and nothing more is read.
    private(set) var isClosing = false
    /// Whether our FIN is sent.
    private var isOutputClosed = false
    private var hasFailed = false
    private(set) var isGone = false
    private(set) var tuning: SocketTuning?
    /// Whether its kernel takes no more bytes for now.
    private var isWaiting = false
    /// Whether NIO's queue has had bytes since it was last seen empty.
    private var mayHoldBytes = false

    init(_ end: End, channel: any Channel, connection: Connection) {
        self.end = end
        self.channel = channel
        self.connection = connection
    }

    var isWritable: Bool { channel.isWritable }

    /// Whether it is open, and its kernel has taken all that was written.
    var isEmpty: Bool { !isGone && !isFinishing && !holdsBytes }

    /// Whether bytes that were written wait in NIO's queue.
    private var holdsBytes: Bool {
        if mayHoldBytes { mayHoldBytes = bufferedBytes > 0 }
        return mayHoldBytes
    }

    /// The descriptor of the socket; nil if it is closed.
    var descriptor: NIOBSDSocket.Handle? { isGone ? nil : openDescriptor }

    private lazy var openDescriptor = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
        of: NIOBSDSocket.Handle.self
    ) { $0 }

    /// The address of the program at this end; nil if the socket has none any more.
    var address: Endpoint? {
        guard let remote = channel.remoteAddress, let host = remote.ipAddress else { return nil }
        return remote.port.map { Endpoint(host: host, port: $0) }
    }

    /// Whether both sides finished in order.
    var hasFinished: Bool { isInputClosed && isOutputClosed && !hasFailed }

    /// Bytes that were written here and that the kernel has not yet taken.
    var bufferedBytes: Int64 {
        if isGone { return 0 }
        return Int64((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
    }

    func tune(_ tuning: SocketTuning, _ readLimit: ReadSizeLimit) {
        tuning.apply(to: channel, from: end, readLimit: readLimit, replacing: self.tuning)
        self.tuning = tuning
    }

    /// Requests one read, unless one is already pending.
    func read() {
        guard !isReadPending, !isInputClosed, !isClosing, !isGone else { return }
        isReadPending = true
        channel.read()
    }

    func write(_ bytes: ByteBuffer) {
        guard !isFinishing, !isGone else { return }
        mayHoldBytes = true
        channel.write(bytes, promise: nil)
    }

    func flush() {
        if !isGone, mayHoldBytes { channel.flush() }
    }

    /// Passes bytes to the kernel at once, without NIO's queue if no earlier bytes wait there.
    ///
    /// NIO writes what the kernel does not accept, and so it meets an error of the socket itself.
    func send(_ bytes: ByteBuffer) {
        guard !isFinishing, !isGone else { return }
        var rest = bytes
        if !holdsBytes, let descriptor {
            let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
            let sent = unsafe bytes.withUnsafeReadableBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
            }
            rest.moveReaderIndex(forwardBy: max(0, sent))
        }
        guard rest.readableBytes > 0 else { return }
        write(rest)
        flush()
    }

    /// Sends FIN after what was written.
    func finish() {
        guard !isFinishing, !isGone else { return }
        isFinishing = true
        // If the peer has finished too, NIO would close at once and lose what waits; so the last write goes first.
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenSuccess { [self] in
            isOutputClosed = true
            channel.close(mode: .output, promise: nil)
        }
    }

    /// Closes both ways after what was written, as close(2) does.
    func close() {
        guard !isClosing, !isGone else { return }
        isClosing = true
        isFinishing = true
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { [channel] _ in
            channel.close(promise: nil)
        }
    }

    /// Closes both ways at once.
    func closeNow() {
        guard !isGone else { return }
        isFinishing = true
        isClosing = true
        channel.close(promise: nil)
    }

    /// Closes with RST.
    func reset() {
        guard !isGone else { return }
        hasFailed = true
        channel.reset()
    }

    func channelActive(context: ChannelHandlerContext) {
        if end == .client { connection?.began() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReadPending = false
        hasReceived = true
        let bytes = unwrapInboundIn(data)
        hasFilledBuffer = bytes.writableBytes == 0 && (expectsSplice || bytes.readableBytes >= Self.spliceBytes)
        connection?.received(bytes, from: end)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A read without bytes is the peer's FIN, which `inputClosed` reports. NIO still works on it: if the channel
        // closed here, for example because a write meets a reset, NIO would unregister a socket that is gone.
        guard hasReceived else { return }
        hasReceived = false
        connection?.readCompleted(from: end)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        note(isWaiting: !isWritable)
        connection?.writabilityChanged(at: end)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent, !isInputClosed else { return }
        isInputClosed = true
        connection?.finished(from: end)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail() }

    /// Closes the channel of a socket that has failed; `channelInactive` then reports it to the connection.
    func fail() {
        hasFailed = true
        channel.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        note(isWaiting: false)
        isGone = true
        let connection = self.connection
        self.connection = nil
        // After our own FIN, the peer's FIN closes the channel without the event `inputClosed`.
        if isOutputClosed, !isInputClosed, !hasFailed {
            isInputClosed = true
            connection?.finished(from: end)
        }
        connection?.lost(end)
    }

    private func note(isWaiting: Bool) {
        guard isWaiting != self.isWaiting else { return }
        self.isWaiting = isWaiting
        connection?.engine.readLimit.note(isWaiting: isWaiting)
    }
}

extension Channel {
    /// Closes with RST; what was not yet sent is lost (socket(7): SO_LINGER).
    func reset() {
        if let provider = self as? any SocketOptionProvider {
            _ = provider.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        close(promise: nil)
    }
}
