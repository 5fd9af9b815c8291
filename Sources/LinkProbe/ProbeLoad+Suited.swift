extension ProbeLoad {
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
