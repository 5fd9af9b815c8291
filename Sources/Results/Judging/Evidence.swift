/// The numbers behind the verdict on a budget, in base units; what is unknown is null.
package struct Evidence: Hashable, Sendable, Codable {
    package var metric: Metric
    package var unit: MetricUnit
    /// From where the times are counted; nil of what is not counted from the begin.
    package var origin: Budget.Origin?
    /// The statistic that was really taken: `max` where p95 was asked for and there were too few attempts.
    package var statistic: String
    /// What was measured in each counted attempt, in order; null where it never came or is unknown.
    package var values: [Double?]
    /// The statistic of the values; nil where it is beyond every number.
    package var measured: Double?
    /// The ends of the interval in which the true statistic lies, each by 95 %; nil where none was taken.
    package var intervalLower: Double?
    package var intervalUpper: Double?
    /// The limit, with its basis put in; nil where that is unknown.
    package var limit: Double?
    /// What the limit is a multiple of; nil for a fixed limit.
    package var basis: Basis?
    /// The number of the basis; nil without one, and where it is unknown.
    package var basisValue: Double?
    /// What the baseline had in each of its attempts, in order; null where it never came.
    ///
    /// Nil of another basis.
    package var baselineValues: [Double?]?
    /// By how much the tested one is above the baseline, by ``ShiftEstimate``; nil where nothing was compared, or it is beyond
    /// every number.
    package var shift: Double?
    /// The ends of the interval in which the true shift lies, each by 95 %; nil as ``shift``.
    package var shiftLower: Double?
    package var shiftUpper: Double?
    /// The probability of being so much worse by chance, by ``RankSum``; nil for a metric without noise.
    package var pValue: Double?
    /// The same, adjusted for all that is compared in the run and for how often it is looked at.
    package var adjustedPValue: Double?
    /// Whether the tested one is better than the baseline by more than the shift that matters; nil where that is not known.
    package var improved: Bool?

    private enum CodingKeys: String, CodingKey {
        case metric, unit, statistic, values, measured, limit, basis, shift, improved
        case origin = "from"
        case baselineValues = "baseline_values"
        case shiftLower = "shift_lower"
        case shiftUpper = "shift_upper"
        case pValue = "p_value"
        case adjustedPValue = "adjusted_p_value"
        case basisValue = "basis_value"
        case intervalLower = "interval_lower"
        case intervalUpper = "interval_upper"
    }
}
