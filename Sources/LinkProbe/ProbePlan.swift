/// How a link is probed: how much is sent, and for how long at most.
package struct ProbePlan: Sendable, Equatable {
    /// Small round trips at most, one after another; at least one is made.
    ///
    /// Default 5.
    ///
    /// They end early when a third of ``deadline`` has gone by.
    package var echoes: Int
    /// How long each direction is loaded, from the first byte that arrives.
    ///
    /// Default 1.5 s.
    package var duration: Duration
    /// Payload bytes at which a direction has been loaded enough, before ``duration`` is over.
    ///
    /// Default 64 MiB.
    package var bytes: Int
    /// Everything together ends by then, from the start of the probe.
    ///
    /// Default 6 s.
    ///
    /// The download has half of what the echoes left.
    package var deadline: Duration
    /// The shortest window that a rate may come from.
    ///
    /// Default 500 ms.
    package var shortestWindow: Duration
    /// The fewest arrivals that a rate may come from, beside the one that opens the window.
    ///
    /// Default 12.
    package var fewestArrivals: Int
    /// What a byte of payload costs on the wire, in bytes.
    ///
    /// The default is 1500/1448: full TCP segments with timestamps over IPv4 (RFC 7323, appendix A).
    package var wireOverhead: Double

    /// A plan; see the properties for units and defaults.
    package init(
        echoes: Int = 5, duration: Duration = .milliseconds(1500), bytes: Int = 64 << 20,
        deadline: Duration = .seconds(6), shortestWindow: Duration = .milliseconds(500), fewestArrivals: Int = 12,
        wireOverhead: Double = 1500.0 / 1448
    ) {
        self.echoes = echoes
        self.duration = duration
        self.bytes = bytes
        self.deadline = deadline
        self.shortestWindow = shortestWindow
        self.fewestArrivals = fewestArrivals
        self.wireOverhead = wireOverhead
    }

    /// A plan long enough for a slow or far link, and the default plan for any other.
    ///
    /// - Parameters:
    ///   - rate: what the slower direction is thought to carry, in bits per second; `nil` where it is unlimited.
    ///   - roundTrip: what a round trip is thought to take.
    /// - Returns: a plan that loads each direction for at most 10 s and ends within 30 s: a link below some 20 kbit/s
    ///   stays unverified.
    package static func suited(to rate: Double?, roundTrip: Duration) -> ProbePlan {
        var plan = ProbePlan()
        if let rate, rate > 0 {
            // Half as much again as a window needs, in full packets, after two round trips of slow start.
            let packets = Double(plan.fewestArrivals) * 1.5
            plan.duration = max(plan.duration, .seconds(min(packets * 1500 * 8 / rate, 60)) + roundTrip * 2)
        }
        plan.duration = min(plan.duration, .seconds(10))
        plan.deadline = min(max(plan.deadline, plan.duration * 2 + roundTrip * 14 + .seconds(1)), .seconds(30))
        return plan
    }
}
