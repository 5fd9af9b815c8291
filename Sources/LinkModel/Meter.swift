/// What had been delivered by a moment, since the link came up.
package struct MeterSample<Totals: Sendable & Hashable>: Sendable, Hashable {
    /// On CLOCK_MONOTONIC.
    package var at: Instant
    /// Bytes so far; none of them falls.
    package var totals: Totals

    package init(at: Instant, totals: Totals) {
        self.at = at
        self.totals = totals
    }
}

/// Keeps what was really delivered over time, so that a measured rate does not lean on the shaper's own arithmetic.
package struct Meter<Totals: Sendable & Hashable>: Sendable {
    package private(set) var samples: [MeterSample<Totals>] = []
    /// Shortest time between two samples; doubles each time the room runs out.
    private var spacing: Duration
    private let capacity: Int

    /// Begins with nothing; `capacity` is the most samples that it keeps.
    package init(spacing: Duration = .milliseconds(5), capacity: Int = 32_768) {
        self.spacing = spacing
        self.capacity = capacity
    }

    /// Takes a sample, unless it comes too soon or tells nothing new.
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
