import CNetlink

/// The shape of a jitter, as the table that netem draws from; each entry is as likely as any other.
///
/// It is computed and not read from a file, because the places and names of such files differ between systems.
package struct DelayDistribution: Hashable, Sendable {
    /// Deviations from the delay, in 1/8192 of the jitter.
    package let entries: [Int16]

    /// The table of a distribution, from its quantile function in jitters.
    ///
    /// It has `count` entries (default: 4096), each in the middle of its share.
    package init(count: Int = 4096, quantile: (Double) -> Double) {
        precondition((1...Int(NETEM_DIST_MAX)).contains(count), "netem takes 1 to 16,384 entries")
        entries = (0..<count).map { index in
            let value = quantile((Double(index) + 0.5) / Double(count)) * Self.scale
            return Int16(min(max(value.rounded(), Double(Int16.min)), Double(Int16.max)))
        }
    }

    /// Evenly from one jitter below the delay to one above.
    package static let uniform = DelayDistribution { 2 * $0 - 1 }

    var bytes: [UInt8] { [UInt8](native: entries) }

    private static let scale = Double(NETEM_DIST_SCALE)
}
