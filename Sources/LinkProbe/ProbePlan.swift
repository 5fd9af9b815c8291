/// The plan of a probe: how much it sends, and for how long at most.
package struct ProbePlan: Sendable, Equatable {
    /// The number of small round trips, one after another; at least one is made.
    ///
    /// Default 5.
    package var echoes = 5
    /// The load of the downlink; `nil` (the default) leaves it idle, and its rate unverified.
    package var download: ProbeLoad?
    /// The load of the uplink; `nil` (the default) leaves it idle, and its rate unverified.
    package var upload: ProbeLoad?
    /// The longest time of the whole probe, from its start.
    ///
    /// Default 6 s.
    ///
    /// If an upload follows, the download ends early enough to leave the upload its own duration.
    package var deadline = Duration.seconds(6)
    /// The sizes of packets.
    package var packet = ProbePacket()

    /// A plan whose deadline leaves time for its loads.
    ///
    /// A link with a long round-trip time gets fewer echoes, as few are enough for its delay.
    ///
    /// - Parameters:
    ///   - download: the load of the downlink.
    ///   - upload: the load of the uplink.
    ///   - roundTrip: the expected round-trip time of a small packet.
    ///   - mayLose: whether packets may be lost, which adds one echo.
    ///   - packet: the sizes of packets.
    /// - Returns: a plan with two to six echoes.
    package static func suited(
        download: ProbeLoad?, upload: ProbeLoad?, roundTrip: Duration, mayLose: Bool,
        packet: ProbePacket = ProbePacket()
    ) -> ProbePlan {
        let fitting = Int(1_500_000_000 / max(1, roundTrip.wholeNanoseconds))
        var plan = ProbePlan(
            echoes: min(max(fitting, 2), 5) + (mayLose ? 1 : 0), download: download, upload: upload, packet: packet)
        let loaded = [download, upload].compactMap { $0?.duration }.reduce(.zero, +)
        plan.deadline = max(.seconds(3), roundTrip * (plan.echoes * 2 + 6) + loaded + .seconds(2))
        return plan
    }
}
