/// By how much the numbers of one sample are above another's, as Hodges and Lehmann estimate it.
///
/// It is the median of all differences between a number of the first and one of the second. The ends of its interval
/// are two of these differences. The true shift is below the lower end with at most 5 % probability, and above the
/// upper end likewise. That holds for all distributions that differ only in their location.
package struct ShiftEstimate: Hashable, Sendable {
    /// Positive if the first is larger; infinite if most of one sample never came.
    package let shift: Double
    /// The interval in which the true shift lies, each end with ``Statistics/confidence``; nil if there are too few
    /// numbers.
    package let interval: ClosedRange<Double>?

    /// The most numbers of a sample that are used, the first ones, because all pairs are compared.
    package static let mostNumbers = 1000

    /// The shift from `second` to `first`; nil if one of them is empty.
    package init?(_ first: [Double], _ second: [Double]) {
        let (first, second) = (first.prefix(Self.mostNumbers), second.prefix(Self.mostNumbers))
        // Two moments that never came are equal.
        let differences = first.flatMap { a in second.map { b in a == b ? 0 : a - b } }.sorted()
        guard let shift = Self.median(differences) else { return nil }
        self.shift = shift
        let critical = RankSum.criticalU(first.count, second.count, probability: 1 - Statistics.confidence)
        interval = critical.map { u in differences[u]...differences[differences.count - 1 - u] }
    }

    private static func median(_ sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        let (lower, upper) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
        guard lower.isFinite, upper.isFinite else { return upper.isFinite ? lower : upper }
        return lower / 2 + upper / 2
    }
}
