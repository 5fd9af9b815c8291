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
