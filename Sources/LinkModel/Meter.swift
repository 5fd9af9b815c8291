/// What had been delivered by a moment, since the link came up.
package struct MeterSample<Totals: Sendable & Hashable>: Sendable, Hashable {
    /// On CLOCK_MONOTONIC.
    package var at: Instant
    /// Bytes so far; no total ever decreases.
    package var totals: Totals

    package init(at: Instant, totals: Totals) {
        self.at = at
        self.totals = totals
    }
}

/// Records what was delivered over time, so that a measured rate does not depend on the shaper's own arithmetic.
package struct Meter<Totals: Sendable & Hashable>: Sendable {
    package private(set) var samples: [MeterSample<Totals>] = []
    /// The shortest time between two samples; doubles each time the capacity is reached.
    private var spacing = Duration.milliseconds(5)
    private let capacity: Int

    /// Makes an empty meter of `capacity` samples at most (default: 32,768), at first 5 ms apart.
    package init(capacity: Int = 32_768) { self.capacity = capacity }

    /// Records a sample, unless it comes too soon or equals the last one.
    package mutating func record(_ totals: Totals, at: Instant) {
        if let last = samples.last {
            guard last.at.duration(to: at) >= spacing, last.totals != totals else { return }
        }
        if samples.count == capacity { thin() }
        samples.append(MeterSample(at: at, totals: totals))
    }

    /// Keeps every second sample; the totals are cumulative, so only resolution is lost.
    private mutating func thin() {
        samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        spacing *= 2
    }
}
