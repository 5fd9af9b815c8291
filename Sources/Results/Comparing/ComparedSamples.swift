/// The samples of a metric from the tested side and the baseline, and what a budget demands of their shift.
struct ComparedSamples {
    let budget: Budget
    /// The moment from which both are counted.
    let origin: Budget.Origin
    let tested: [Double]
    let baseline: [Double]
    /// The budget's statistic of the baseline.
    let base: Double
    /// The limit that the budget derives from ``base``.
    let limit: Double
    let shift: ShiftEstimate
    /// The probabilities that the tested side is this much worse, and this much better, by chance.
    let pWorse: Double
    let pBetter: Double
}

extension ComparedSamples {
    /// Nil if one of the samples is empty, or the baseline's statistic is not finite.
    init?(_ budget: Budget, from origin: Budget.Origin, tested: [Double], baseline: [Double]) {
        guard !tested.isEmpty, !baseline.isEmpty, let shift = ShiftEstimate(tested, baseline) else { return nil }
        let base = budget.value(of: baseline, .nan)
        guard base.isFinite, let limit = budget.bound.limit(basis: base) else { return nil }
        let isLower = budget.comparator.isLowerLimit
        // If the budget demands an improvement, the shortfall from that improvement counts.
        let demanded = isLower ? max(0, limit - base) : min(0, limit - base)
        let moved = baseline.map { $0 + demanded }
        self.init(
            budget: budget, origin: origin, tested: tested, baseline: baseline, base: base, limit: limit, shift: shift,
            pWorse: isLower ? RankSum(moved, tested).pLarger : RankSum(tested, moved).pLarger,
            pBetter: isLower ? RankSum(tested, baseline).pLarger : RankSum(baseline, tested).pLarger)
    }

    /// The shift that meets the limit exactly.
    var leastShift: Double { limit - base }

    private func holds(_ shift: Double) -> Bool { budget.comparator.holds(base + shift, limit) }

    /// Whether the estimate of the shift breaks the limit.
    var isBeyond: Bool { !holds(shift.shift) }

    /// Whether the whole interval of the shift keeps the limit; false if there is no interval.
    var isWithin: Bool {
        guard let interval = shift.interval else { return false }
        return holds(budget.comparator.isLowerLimit ? interval.lowerBound : interval.upperBound)
    }

    /// Whether the tested side is better by at least the shift that matters.
    var isBetterByFar: Bool {
        let least = leastShift.magnitude
        return budget.comparator.isLowerLimit ? shift.shift >= least : shift.shift <= -least
    }
}
