/// The two samples of a metric, the tested one's and the baseline's, and what a budget asks of their shift.
struct ComparedSamples {
    let budget: Budget
    /// From where both are counted.
    let origin: Budget.Origin
    let tested: [Double]
    let baseline: [Double]
    /// The baseline's own statistic.
    let base: Double
    /// What the budget makes of it.
    let limit: Double
    let shift: ShiftEstimate
    /// The probability of being so much worse, and so much better, by chance.
    let pWorse: Double
    let pBetter: Double

    /// Nil where one of the samples is empty, or the baseline's statistic is beyond every number.
    init?(_ budget: Budget, from origin: Budget.Origin, tested: [Double], baseline: [Double]) {
        guard !tested.isEmpty, !baseline.isEmpty, let shift = ShiftEstimate(tested, baseline) else { return nil }
        let base = budget.value(of: budget.statistic, baseline, .nan)
        guard base.isFinite, let limit = budget.bound.limit(basis: base) else { return nil }
        self.budget = budget
        self.origin = origin
        self.tested = tested
        self.baseline = baseline
        self.base = base
        self.limit = limit
        self.shift = shift
        let isLower = budget.comparator.isLowerLimit
        // Where the budget demands to be better, what falls short of that is what counts.
        let demanded = isLower ? max(0, limit - base) : min(0, limit - base)
        let moved = baseline.map { $0 + demanded }
        pWorse = isLower ? RankSum(moved, tested).pLarger : RankSum(tested, moved).pLarger
        pBetter = isLower ? RankSum(tested, baseline).pLarger : RankSum(baseline, tested).pLarger
    }

    /// The shift with which the limit is met to a hair.
    var leastShift: Double { limit - base }

    private func holds(_ shift: Double) -> Bool { budget.comparator.holds(base + shift, limit) }

    /// Whether the estimate of the shift is beyond what is allowed.
    var isBeyond: Bool { !holds(shift.shift) }

    /// Whether the shift is within what is allowed for all that is known.
    var isWithin: Bool {
        guard let interval = shift.interval else { return false }
        return holds(budget.comparator.isLowerLimit ? interval.lowerBound : interval.upperBound)
    }

    /// Whether it is better by more than the shift that matters.
    var isBetterByFar: Bool {
        let least = leastShift.magnitude
        return budget.comparator.isLowerLimit ? shift.shift >= least : shift.shift <= -least
    }
}
