import Glibc

/// Whether a count of losses can come from a probability, by the exact binomial distribution.
enum LossCheck {
    /// Chance below which a count is taken as impossible.
    static let significance = 1e-6

    /// The counts of `trials` that are neither too few nor too many for `probability`.
    static func plausible(probability: Double, trials: Int) -> ClosedRange<Int> {
        guard trials > 0, probability > 0 else { return 0...0 }
        guard probability < 1 else { return trials...trials }
        var cumulative = 0.0
        var lower = 0
        for count in 0...trials {
            cumulative += mass(count, probability, trials)
            if cumulative < significance { lower = count + 1 }
            if 1 - cumulative < significance { return min(lower, count)...count }
        }
        return min(lower, trials)...trials
    }

    private static func mass(_ count: Int, _ probability: Double, _ trials: Int) -> Double {
        let (k, n) = (Double(count), Double(trials))
        let ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
        return exp(ways + k * log(probability) + (n - k) * log1p(-probability))
    }
}
