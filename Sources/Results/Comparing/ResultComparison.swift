/// How what a later run measured differs from what an earlier one did, metric by metric.
package struct ResultComparison: Hashable, Sendable, Codable {
    package enum Word: String, CaseIterable, Codable, Sendable {
        /// Different by less than the least shift that matters, for all that is known.
        case same
        /// Worse by more than that, and not by chance.
        case worse
        /// Better by more than that, and not by chance.
        case better
        /// Neither is known.
        case unclear
        /// Measured on another kind of machine, on another link, or with other tools.
        case unlike
        /// Only one of the two has it.
        case missing
    }

    /// A metric of a cell; of one that is unlike or missing, the cell as a whole.
    package struct Row: Hashable, Sendable, Codable {
        package var cell: String
        package var metric: Metric?
        package var unit: MetricUnit?
        /// The medians; null where nothing was measured, or most of it never came.
        package var earlier: Double?
        package var later: Double?
        package var earlierAttempts: Int
        package var laterAttempts: Int
        /// The later above the earlier, with the ends of its interval, each by 95 %.
        package var shift: Double?
        package var shiftLower: Double?
        package var shiftUpper: Double?
        /// The two-sided probability of such a difference by chance, and the same adjusted by Holm for all rows.
        package var pValue: Double?
        package var adjustedPValue: Double?
        package var word: Word
        /// Why it is unlike or missing; empty for all others.
        package var reasons: [String]

        private enum CodingKeys: String, CodingKey {
            case cell, metric, unit, earlier, later, shift, word, reasons
            case earlierAttempts = "earlier_attempts"
            case laterAttempts = "later_attempts"
            case shiftLower = "shift_lower"
            case shiftUpper = "shift_upper"
            case pValue = "p_value"
            case adjustedPValue = "adjusted_p_value"
        }
    }

    package var rows: [Row]

    /// Compares the cells of two, in the order of the later one; those that it lacks come last.
    ///
    /// `leastShare` is the least shift that matters, as a share of the earlier median. `metrics` are those that are compared.
    package init(
        earlier: StoredBaseline, later: StoredBaseline, leastShare: Double, metrics: [Metric] = Metric.allCases
    ) {
        let known = Dictionary(earlier.cells.map { ($0.name, $0) }) { first, _ in first }
        let names = Set(later.cells.map(\.name))
        rows = later.cells.flatMap { cell -> [Row] in
            guard let other = known[cell.name] else {
                return [Row(cell.name, .missing, ["the earlier one has no such cell"])]
            }
            let differences = cell.fingerprint.differences(from: other.fingerprint)
            guard differences.isEmpty else { return [Row(cell.name, .unlike, differences)] }
            return metrics.compactMap { Row(cell.name, $0, other.attempts, cell.attempts, leastShare) }
        }
        rows += earlier.cells.filter { !names.contains($0.name) }.map {
            Row($0.name, .missing, ["the later one has no such cell"])
        }
        adjust(leastShare)
    }

    /// Adjusts what could be chance for the number of rows, and says what each comes to.
    private mutating func adjust(_ leastShare: Double) {
        let noisy = rows.indices.filter { rows[$0].pValue != nil }
        for (index, adjusted) in zip(noisy, Holm.adjusted(noisy.compactMap { rows[$0].pValue })) {
            rows[index].adjustedPValue = adjusted
            rows[index].word = rows[index].noisyWord(adjusted, leastShare)
        }
    }

    /// The words that there are, and how many rows each has.
    package var counts: [Word: Int] { rows.reduce(into: [:]) { $0[$1.word, default: 0] += 1 } }
    /// Whether anything could be compared.
    package var hasCompared: Bool { rows.contains { $0.metric != nil } }
}

extension ResultComparison.Row {
    fileprivate init(_ cell: String, _ word: ResultComparison.Word, _ reasons: [String]) {
        self.init(cell: cell, earlierAttempts: 0, laterAttempts: 0, word: word, reasons: reasons)
    }

    /// Nil where one of the two did not measure the metric.
    fileprivate init?(
        _ cell: String, _ metric: Metric, _ earlier: [Samples], _ later: [Samples], _ leastShare: Double
    ) {
        let worst: Double = metric.definition.better == .lower ? .infinity : -.infinity
        func numbers(_ samples: [Samples]) -> [Double] {
            samples.map { $0[metric] }.filter { $0 != .unknown }.map { $0.value ?? worst }
        }
        let (before, after) = (numbers(earlier), numbers(later))
        guard let shift = ShiftEstimate(after, before), let was = Statistics.median(before),
            let now = Statistics.median(after)
        else { return nil }
        self.init(
            cell: cell, metric: metric, unit: metric.unit, earlier: was.finite, later: now.finite,
            earlierAttempts: before.count, laterAttempts: after.count, shift: shift.shift.finite,
            shiftLower: shift.interval?.lowerBound.finite, shiftUpper: shift.interval?.upperBound.finite,
            word: .unclear, reasons: [])
        if metric.isNoiseFree {
            let isMore =
                (now, after.reduce(0, +)) > (was, before.reduce(0, +) * Double(after.count) / Double(before.count))
            let isSame = Set(before) == Set(after)
            word = isSame ? .same : isMore == (metric.definition.better == .lower) ? .worse : .better
        } else {
            pValue = min(1, 2 * min(RankSum(after, before).pLarger, RankSum(before, after).pLarger))
        }
    }

    fileprivate func noisyWord(_ adjusted: Double, _ leastShare: Double) -> ResultComparison.Word {
        guard let earlier, let later, let shift, let metric else {
            // Where one side never came, and that is no chance, one of the two is worse by any measure.
            guard adjusted <= Comparison.alpha, (self.earlier == nil) != (self.later == nil) else { return .unclear }
            return self.later == nil ? .worse : .better
        }
        _ = later
        let least = leastShare * earlier.magnitude
        if shift.magnitude > least, adjusted <= Comparison.alpha {
            return (shift > 0) == (metric.definition.better == .lower) ? .worse : .better
        }
        guard let lower = shiftLower, let upper = shiftUpper else { return .unclear }
        return max(lower.magnitude, upper.magnitude) <= least ? .same : .unclear
    }
}
