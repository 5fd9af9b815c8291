internal import Glibc
internal import LinkModel
internal import NIOCore

/// The options of a link's sockets, by which kernel buffers hide as little as those of a real link would.
///
/// A loopback socket takes megabytes before it makes its writer wait: an upload would seem done at once. On a shaped
/// link, windows are small, and segments are as short as the link's; the writer's kernel sizes its own buffer by these
/// (tcp(7): SO_RCVBUF, TCP_MAXSEG). On an unshaped link the sockets stay as they are, for speed.
struct SocketTuning: Equatable {
    /// SO_RCVBUF of the socket from which the bytes of each direction are read.
    private var receiveBuffer: PerDirection<Int>
    private var isShaped: Bool
    private var segmentBytes: Int
    /// The bytes of each direction that may wait in front of the link before reading stops.
    let readAhead: PerDirection<Int>

    /// TCP and IPv4 headers without options.
    private static let headerBytes = 40
    /// The time for which the buffers' bytes last at the link's rate.
    private static let bufferedTime = Duration.milliseconds(25)
    private static let readAheadBounds = 8 * 1024...256 * 1024
    private static let receiveBufferBounds = 16 * 1024...256 * 1024
    private static let sendBuffer = 64 * 1024
    private static let unshapedBuffer = 4 * 1024 * 1024

    init(_ conditions: LinkConditions, isShaped: Bool) {
        func bytes(_ direction: Direction) -> Int {
            guard let rate = conditions[direction].rate else { return .max }
            return Int(Double(rate.bitsPerSecond) / 8 * Self.bufferedTime.seconds)
        }
        func clamped(_ bounds: ClosedRange<Int>) -> PerDirection<Int> {
            PerDirection { min(max(bytes($0), bounds.lowerBound), bounds.upperBound) }
        }
        self.isShaped = isShaped
        readAhead = clamped(Self.readAheadBounds)
        receiveBuffer = clamped(Self.receiveBufferBounds)
        segmentBytes = max(536, conditions.mtu - Self.headerBytes)
    }

    /// Options for a socket before it listens or connects; none on an unshaped link.
    func initialOptions(from end: End) -> [(ChannelOptions.Types.SocketOption, SocketOptionValue)] {
        isShaped ? options(from: end) : []
    }

    private func options(from end: End) -> [(ChannelOptions.Types.SocketOption, SocketOptionValue)] {
        let segment = SocketOptionValue(isShaped ? segmentBytes : 0)
        return [(.init(level: .tcp, name: .init(rawValue: TCP_MAXSEG)), segment)] + buffers(from: end)
    }

    private func buffers(from end: End) -> [(ChannelOptions.Types.SocketOption, SocketOptionValue)] {
        let (receive, send) =
            isShaped ? (receiveBuffer[end.sends], Self.sendBuffer) : (Self.unshapedBuffer, Self.unshapedBuffer)
        return [
            (.init(level: .socket, name: .so_rcvbuf), SocketOptionValue(receive)),
            (.init(level: .socket, name: .so_sndbuf), SocketOptionValue(send)),
        ]
    }

    /// Sets the options of a listener, which the connections that it accepts from now on inherit.
    func apply(toListener listener: any Channel) {
        for (option, value) in options(from: .client) { try? listener.syncOptions?.setOption(option, value: value) }
    }

    /// Sets the options of a connected socket; an option that the socket refuses only costs precision.
    func apply(to channel: any Channel, from end: End, readLimit: ReadSizeLimit, replacing previous: SocketTuning?) {
        guard previous != self, let options = channel.syncOptions else { return }
        applyReads(to: channel, from: end, readLimit: readLimit, isSmall: false)
        // On an unshaped link, reading stops while bytes of the last read wait.
        let (low, high) = isShaped ? (32 * 1024, 64 * 1024) : (2048, 4096)
        try? options.setOption(.writeBufferWaterMark, value: .init(low: low, high: high))
        guard isShaped || previous?.isShaped == true else { return }
        for (option, value) in buffers(from: end) { try? options.setOption(option, value: value) }
    }

    /// Sets the buffer size of reads.
    ///
    /// `isSmall`: on an unshaped link, only 2 KiB, enough to see that bytes have come.
    func applyReads(to channel: any Channel, from end: End, readLimit: ReadSizeLimit?, isSmall: Bool) {
        let bounds: ClosedRange<Int>
        if isShaped {
            let read = min(readAhead[end.sends], 16 * 1024)
            bounds = read...read
        } else {
            bounds = 2048...(isSmall ? 2048 : ReadSizeLimit.largest)
        }
        try? channel.syncOptions?.setOption(
            .recvAllocator, value: ReceiveAllocator(bounds: bounds, readLimit: isShaped ? nil : readLimit))
    }
}
