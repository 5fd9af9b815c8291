/// The numbers behind the verdict on a budget, in the metric's base unit; unknown ones are null.
package struct Evidence: Hashable, Sendable, Codable {
    package var metric: Metric
    package var unit: MetricUnit
    /// The moment from which times are counted; nil for metrics that are not counted from the begin.
    package var origin: Budget.Origin?
    /// The statistic that was taken, as a budget writes it.
    package var statistic: String
    /// The measurement of each counted attempt, in order; null if it never came or is unknown.
    package var values: [Double?]
    /// The statistic of the values; nil if it is infinite or was not computed.
    package var measured: Double?
    /// The ends of the interval in which the true statistic lies, each with 95 % confidence; nil if there is none.
    package var intervalLower: Double?
    package var intervalUpper: Double?
    /// The limit, with the number of its basis filled in; nil if that is unknown.
    package var limit: Double?
    /// What the limit is a multiple of; nil for a fixed limit.
    package var basis: Basis?
    /// The number of the basis; nil if there is no basis or its number is unknown.
    package var basisValue: Double?
    /// The measurement of each of the baseline's attempts, in order; null if it never came.
    ///
    /// Nil for another basis.
    package var baselineValues: [Double?]?
    /// By how much the tested side is above the baseline, by ``ShiftEstimate``; nil if nothing was compared, or if it
    /// is infinite.
    package var shift: Double?
    /// The ends of the interval in which the true shift lies, each with 95 % confidence; nil as ``shift``.
    package var shiftLower: Double?
    package var shiftUpper: Double?
    /// The probability of being this much worse by chance, by ``RankSum``; nil for a metric without noise.
    package var pValue: Double?
    /// The same, adjusted for all comparisons in the run and for the number of looks.
    package var adjustedPValue: Double?
    /// Whether the tested side is better than the baseline by at least the shift that matters; nil if unknown.
    package var improved: Bool?

    private enum CodingKeys: String, SnakeCaseKey {
        case metric, unit, statistic, values, measured, limit, basis, shift, improved
        case origin = "from"
        case baselineValues, shiftLower, shiftUpper, pValue, adjustedPValue, basisValue, intervalLower, intervalUpper
    }
}
