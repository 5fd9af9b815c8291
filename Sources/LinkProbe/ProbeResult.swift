/// What a link was measured to do, by one probe.
///
/// Times are between two readings of CLOCK_MONOTONIC on one machine, each taken as soon as the bytes were read. What the
/// machine was late to wake up is in them: see how busy it was before trusting the last millisecond.
package struct ProbeResult: Sendable, Equatable {
    /// From the start of connecting until the tunnel stood, or until the connection did where there is no proxy.
    package var connect: Duration
    /// One way, client to server: from just before a message of ``echoBytes`` was written until the server had read it.
    package var uplinkDelay: DelaySpread
    /// One way, server to client, likewise.
    package var downlinkDelay: DelaySpread
    /// From just before a message was written until its answer had been read.
    package var roundTrip: DelaySpread
    /// What arrived at the client while the server sent as fast as it could.
    package var download: Throughput
    /// What arrived at the server while the client sent as fast as it could.
    package var upload: Throughput

    /// The payload of a message and of its answer, in bytes: what a slow link's rate adds to the delays can be told from it.
    package static let echoBytes = ProbeMessage.echoBytes
}

/// The minimum and the median of some delays.
package struct DelaySpread: Sendable, Equatable {
    /// The smallest.
    package var minimum: Duration
    /// The middle one; of an even count, the smaller of the middle two.
    package var median: Duration
    /// How many there were, at least one.
    package var count: Int

    /// The spread of `delays`; `nil` where there are none.
    init?(_ delays: [Duration]) {
        let sorted = delays.sorted()
        guard let first = sorted.first else { return nil }
        minimum = first
        median = sorted[(sorted.count - 1) / 2]
        count = sorted.count
    }
}
