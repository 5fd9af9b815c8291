/// By how much the numbers of one sample are above another's: the estimate of Hodges and Lehmann.
///
/// It is the median of all differences between a number of the first and one of the second. The ends of its interval are two
/// of these differences: the true shift is below the one, and above the other, with at most 5 % probability each, whatever the
/// distributions are, as long as they differ in their place alone.
package struct ShiftEstimate: Hashable, Sendable {
    /// Positive where the first is larger; infinite where most of one sample never came.
    package let shift: Double
    /// Where the true shift lies, each end by ``Statistics/confidence``; nil where there are too few numbers.
    package let interval: ClosedRange<Double>?

    /// The most numbers of a sample that are looked at, because all pairs are: the first ones.
    package static let mostNumbers = 1000

    /// The shift from `second` to `first`; nil where one of them is empty.
    package init?(_ first: [Double], _ second: [Double]) {
        let (first, second) = (first.prefix(Self.mostNumbers), second.prefix(Self.mostNumbers))
        // Two that never came are alike.
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
