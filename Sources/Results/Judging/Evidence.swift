/// The numbers behind the verdict on a budget, in base units; what is unknown is null.
package struct Evidence: Hashable, Sendable, Codable {
    package var metric: Metric
    package var unit: MetricUnit
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

    private enum CodingKeys: String, CodingKey {
        case metric, unit, statistic, values, measured, limit, basis
        case basisValue = "basis_value"
        case intervalLower = "interval_lower"
        case intervalUpper = "interval_upper"
    }
}
