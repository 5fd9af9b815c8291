extension ResultComparison.Row {
    init(_ cell: String, _ word: ResultComparison.Word, _ reasons: [String]) {
        self.init(cell: cell, earlierAttempts: 0, laterAttempts: 0, word: word, reasons: reasons)
    }

    /// Nil if one of the two results did not measure the metric.
    init?(_ cell: String, _ metric: Metric, _ earlier: [Samples], _ later: [Samples], _ leastShare: Double) {
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
        if metric.isExact {
            word = Self.exactWord(metric, before, after, was, now, shift.shift, leastShare)
        } else {
            pValue = min(1, 2 * min(RankSum(after, before).pLarger, RankSum(before, after).pLarger))
        }
    }

    /// The word for a metric without noise: compares the medians, and the means if the medians are equal.
    ///
    /// Samples of the same values are the same, unless they are shifted.
    private static func exactWord(
        _ metric: Metric, _ before: [Double], _ after: [Double], _ was: Double, _ now: Double, _ shift: Double,
        _ leastShare: Double
    ) -> ResultComparison.Word {
        guard Set(before) != Set(after) || shift != 0 else { return .same }
        let means = (before.reduce(0, +) / Double(before.count), after.reduce(0, +) / Double(after.count))
        let differences = [now - was, means.1 - means.0]
        if differences.allSatisfy(\.isFinite),
            differences.allSatisfy({ $0.magnitude <= leastShare * was.magnitude })
        {
            return .same
        }
        let isMore = (now, means.1) > (was, means.0)
        return isMore == (metric.definition.better == .lower) ? .worse : .better
    }

    /// The smallest two-sided probability that samples with these numbers of attempts can have.
    var leastPValue: Double { min(1, 2 * RankSum.leastProbability(earlierAttempts, laterAttempts)) }

    /// Whether it differs by more than the least shift that matters, or only one side has a finite median.
    private func differs(_ leastShare: Double) -> Bool {
        guard let earlier, later != nil, let shift else {
            return (self.earlier == nil) != (self.later == nil)
        }
        return shift.magnitude > leastShare * earlier.magnitude
    }

    /// Whether it differs as clearly as its attempts can show, but they are too few for a decision.
    func isUndecided(_ leastShare: Double) -> Bool {
        guard word == .tooFew, let pValue else { return false }
        return differs(leastShare) && pValue <= max(Comparison.alpha, leastPValue * (1 + 1e-9))
    }

    /// The word for a metric with noise.
    func noisyWord(_ adjusted: Double, _ leastShare: Double) -> ResultComparison.Word {
        if adjusted <= Comparison.alpha, differs(leastShare) { return isWorse ? .worse : .better }
        guard let earlier, let lower = shiftLower, let upper = shiftUpper else { return .unclear }
        return max(lower.magnitude, upper.magnitude) <= leastShare * earlier.magnitude ? .same : .unclear
    }

    /// Whether a difference is for the worse; a moment that never came is worse than any number.
    private var isWorse: Bool {
        guard earlier != nil, later != nil, let shift else { return later == nil }
        return (shift > 0) == (metric?.definition.better == .lower)
    }
}
