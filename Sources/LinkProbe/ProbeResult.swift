/// The measurements of a link by one probe.
///
/// Times are between two readings of CLOCK_MONOTONIC on one machine, each taken as soon as the bytes were read. They
/// include the time that the machine took to wake up: on a busy machine, the last millisecond is not reliable.
package struct ProbeResult: Sendable, Equatable {
    /// The one-way delay to the server: from just before a message of ``echoBytes`` was written until it was read.
    package var uplinkDelay: DelaySpread
    /// The one-way delay from the server, measured in the same way.
    package var downlinkDelay: DelaySpread
    /// The throughput at the client while the server sent as fast as it could.
    package var download: Throughput
    /// The throughput at the server while the client sent as fast as it could.
    package var upload: Throughput

    /// The payload of a message and of its answer, in bytes.
    ///
    /// On a slow link, the time that its rate takes for these bytes is part of the delays.
    package static let echoBytes = ProbeMessage.echoBytes
}

/// The minimum and the median of some delays.
package struct DelaySpread: Sendable, Equatable {
    /// The smallest delay.
    package var minimum: Duration
    /// The median; for an even count, the smaller of the middle two.
    package var median: Duration
    /// The number of delays, at least one.
    package var count: Int

    /// The spread of `delays`; `nil` if there are none.
    init?(_ delays: [Duration]) {
        let sorted = delays.sorted()
        guard let first = sorted.first else { return nil }
        minimum = first
        median = sorted[(sorted.count - 1) / 2]
        count = sorted.count
    }
}
