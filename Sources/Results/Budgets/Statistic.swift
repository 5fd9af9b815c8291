/// How the attempts' samples become the one number that a budget limits.
///
/// There is no default: a budget must name a statistic that takes the best of several attempts.
package enum Statistic: Hashable, Sendable, Codable {
    case min
    case max
    case median
    /// Each attempt by itself; the result lists those that break the limit.
    case each
    /// The smallest sample that at least this percentage of samples does not exceed; 1 to 99, and 50 is ``median``.
    case percentile(Int)
}

extension Statistic: CustomStringConvertible {
    /// The word in a budget: `min`, `max`, `median`, `each`, `p90`.
    package var description: String {
        switch self {
        case .min: "min"
        case .max: "max"
        case .median: "median"
        case .each: "each"
        case .percentile(let percent): "p\(percent)"
        }
    }

    /// The words that a budget may start with, with an example for the percentiles.
    package static let words = ["min", "max", "median", "each", "p90"]

    /// The statistic that a word names; nil for any other word, `p0`, `p100` and `p05` included.
    package init?(word: String) {
        let all: [Self] = [.min, .max, .median, .each] + (1...99).map(Self.percentile)
        guard let found = all.first(where: { "\($0)" == word }) else { return nil }
        self = found == .percentile(50) ? .median : found
    }

    /// The quantile that the statistic estimates, 0 to 1; nil for `min`, `max` and `each`.
    package var quantile: Double? {
        switch self {
        case .median: 0.5
        case .percentile(let percent): Double(percent) / 100
        case .min, .max, .each: nil
        }
    }
}
