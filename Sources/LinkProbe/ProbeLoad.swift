/// The load of one direction of a link, and which of its windows may give a rate.
package struct ProbeLoad: Sendable, Equatable {
    /// The whole payload, in bytes.
    package var bytes: Int
    /// The payload of one write, in bytes; `nil` (the default) writes as much as the socket takes.
    ///
    /// Pieces are written 10 ms apart, so that each is a packet of its own: a slow link shows its rate by few of them.
    package var pieceBytes: Int?
    /// The longest time of the load, from the first byte that arrives (default: 2 s).
    package var duration: Duration
    /// Whether a rate comes only from an even window: without a pause, and without a burst after one (default: false).
    ///
    /// A sender that waits for a retransmission leaves the link idle. One that retransmits needlessly fills it with
    /// bytes that do not count. Both show as pauses if packets arrive one by one, but not among many packets at once.
    package var isEven: Bool
    /// The shortest window that may give a rate (default: 500 ms).
    ///
    /// With ``isEven``, longer windows are tried first, from 500 ms on.
    package var shortestWindow: Duration
    /// The fewest arrivals that may give a rate, besides the one that opens the window (default: 3).
    package var fewestArrivals: Int
    /// The uncertainty, as a share of the rate, at which the load ends; `nil` (the default) sends all.
    package var sufficient: Double?

    /// A load; see the properties for units and defaults.
    package init(
        bytes: Int, pieceBytes: Int? = nil, duration: Duration = .seconds(2), isEven: Bool = false,
        shortestWindow: Duration = .milliseconds(500), fewestArrivals: Int = 3, sufficient: Double? = nil
    ) {
        self.bytes = bytes
        self.pieceBytes = pieceBytes
        self.duration = duration
        self.isEven = isEven
        self.shortestWindow = shortestWindow
        self.fewestArrivals = fewestArrivals
        self.sufficient = sufficient
    }

    /// The shortest load that shows a rate of about this size.
    ///
    /// - A slow link gets six small pieces, each some 150 ms long or as short as a packet can be.
    /// - A link whose first window of packets takes 300 ms or more gets this window.
    /// - Any other link gets the bytes of half a second or more, plus those in which the sender's window grows.
    /// - A link that may lose packets gets less: its rate comes from a shorter window, before a loss.
    ///
    /// - Parameters:
    ///   - rate: the expected rate of the direction, in bits per second, above 0.
    ///   - roundTrip: the expected round-trip time.
    ///   - mayLose: whether packets may be lost.
    ///   - packet: the size of packets.
    /// - Returns: a load of at most 64 MiB.
    package static func suited(
        to rate: Double, roundTrip: Duration, mayLose: Bool, packet: ProbePacket = ProbePacket()
    ) -> ProbeLoad {
        let bytesPerSecond = rate / 8
        let full = Double(packet.segmentBytes + packet.headerBytes)
        if 0.15 * bytesPerSecond < full { return slow(bytesPerSecond, roundTrip, mayLose, packet) }
        let inFlight = bytesPerSecond * Double(roundTrip.wholeNanoseconds) / 1e9
        if mayLose {
            let bytes = max(bytesPerSecond * 0.2, full * 20) + min(inFlight, full * 20)
            return ProbeLoad(
                bytes: Int(min(bytes, 1e6)), duration: .milliseconds(1500) + roundTrip * 3 / 2, isEven: true,
                shortestWindow: .milliseconds(40), sufficient: 0.02)
        }
        guard full / bytesPerSecond >= 0.01 else {
            return ProbeLoad(
                bytes: Int(min(bytesPerSecond * 0.7 + inFlight * 2, mostBytes)),
                duration: .milliseconds(1500) + roundTrip * 6)
        }
        // The sender's window doubles until it fills the path in both directions.
        let isFirstEnough = full / bytesPerSecond * firstWindow >= 0.3
        let growth = max(0, inFlight - firstWindow * full) * 2
        return ProbeLoad(
            bytes: Int(isFirstEnough ? full * (firstWindow + 3) : bytesPerSecond * 0.5 + growth),
            duration: .milliseconds(1500) + roundTrip * 6, isEven: true, shortestWindow: .milliseconds(200))
    }

    private static func slow(
        _ bytesPerSecond: Double, _ roundTrip: Duration, _ mayLose: Bool, _ packet: ProbePacket
    ) -> ProbeLoad {
        let piece = max(16, Int(0.15 * bytesPerSecond) - packet.headerBytes)
        let time = Double(piece + packet.headerBytes) / bytesPerSecond * Double(pieces)
        return ProbeLoad(
            bytes: piece * pieces, pieceBytes: piece,
            duration: .seconds(time * 1.5 + 0.5) + roundTrip * (mayLose ? 2 : 1), isEven: true,
            shortestWindow: .milliseconds(400))
    }

    private static let pieces = 6
    private static let mostBytes = 64.0 * 1024 * 1024
    /// Packets of a TCP's first window (RFC 6928).
    private static let firstWindow = 10.0
}
