/// How a link is probed: how much is sent, and for how long at most.
package struct ProbePlan: Sendable, Equatable {
    /// Small round trips, one after another; at least one is made.
    ///
    /// Default 5.
    package var echoes: Int
    /// What loads the downlink; `nil` leaves it idle, and its rate unverified.
    package var download: ProbeLoad?
    /// What loads the uplink, likewise.
    package var upload: ProbeLoad?
    /// Everything together ends by then, from the start of the probe.
    ///
    /// Default 6 s.
    ///
    /// The download has half of what the echoes left, where an upload follows it.
    package var deadline: Duration
    /// How large packets are.
    package var packet: ProbePacket

    /// A plan; see the properties for units and defaults.
    package init(
        echoes: Int = 5, download: ProbeLoad? = nil, upload: ProbeLoad? = nil, deadline: Duration = .seconds(6),
        packet: ProbePacket = ProbePacket()
    ) {
        self.echoes = echoes
        self.download = download
        self.upload = upload
        self.deadline = deadline
        self.packet = packet
    }

    /// A plan whose deadline has room for what it loads.
    ///
    /// A far link gets fewer echoes: what it is said to be is known from few.
    ///
    /// - Parameters:
    ///   - download: what loads the downlink.
    ///   - upload: what loads the uplink.
    ///   - roundTrip: what a round trip of a small packet is thought to take.
    ///   - mayLose: whether packets may be lost: one echo more then.
    ///   - packet: how large packets are.
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
