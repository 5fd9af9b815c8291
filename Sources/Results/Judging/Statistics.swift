import Glibc

/// Order statistics of a few samples.
///
/// Nothing here assumes how the samples are distributed.
package enum Statistics {
    /// The confidence of each end of an interval, by itself: 95 %.
    package static let confidence = 0.95

    /// The middle sample, or the mean of the two in the middle; nil if there are none.
    package static func median(_ samples: [Double]) -> Double? {
        let sorted = samples.sorted()
        guard let last = sorted.last else { return nil }
        guard last.isFinite || sorted.count % 2 == 1 else { return sorted[sorted.count / 2] }
        let upper = sorted[sorted.count / 2]
        return sorted.count % 2 == 1 ? upper : sorted[sorted.count / 2 - 1] / 2 + upper / 2
    }

    /// The smallest sample that at least the share `quantile` of the samples does not exceed; nil if there are none.
    ///
    /// It is the inverse of the empirical distribution function, without interpolation (type 1 of Hyndman and Fan
    /// 1996), so it is a number that was really measured.
    package static func quantile(_ quantile: Double, of samples: [Double]) -> Double? {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        // The small allowance keeps 0.07 × 100, which is a little over 7, from becoming the 8th of 100.
        let rank = Int((quantile * Double(sorted.count) - 1e-9).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    /// The fewest samples whose largest (below one half: smallest) bounds a quantile with ``confidence``.
    ///
    /// ⌈ln 0.05 / ln q⌉: the median needs 5, p90 29, p95 59, p99 299.
    package static func minimumSamples(quantile: Double) -> Int {
        Int((log(1 - confidence) / log(max(quantile, 1 - quantile))).rounded(.up))
    }

    /// The ranks, from 1, of the samples between which a quantile lies; nil if there are too few samples.
    ///
    /// The quantile is below the lower sample with at most 5 % probability, and above the upper one likewise. Of five
    /// samples these are the smallest and the largest, of nine the second and the eighth.
    package static func ranks(quantile: Double, count: Int) -> ClosedRange<Int>? {
        guard count > 0, quantile > 0, quantile < 1 else { return nil }
        let allowed = 1 - confidence
        var lower: Int?
        var upper: Int?
        // `below` is the probability that at most `rank - 1` of the samples are below the quantile.
        var below = 0.0
        var logTerm = Double(count) * log1p(-quantile)
        for rank in 1...count {
            below += exp(logTerm)
            logTerm += log(Double(count - rank + 1) / Double(rank)) + log(quantile) - log1p(-quantile)
            if below <= allowed { lower = rank }
            if upper == nil, below >= 1 - allowed { upper = rank }
        }
        guard let lower, let upper, lower <= upper else { return nil }
        return lower...upper
    }

    /// The samples between which a quantile lies, by ``ranks(quantile:count:)``; nil if there are too few.
    package static func interval(quantile: Double, of samples: [Double]) -> ClosedRange<Double>? {
        guard let ranks = ranks(quantile: quantile, count: samples.count) else { return nil }
        let sorted = samples.sorted()
        return sorted[ranks.lowerBound - 1]...sorted[ranks.upperBound - 1]
    }

    /// Wilson's 95 % interval for the probability of success; nil if there are no trials.
    ///
    /// 5 of 5 means at least 57 %, not always.
    package static func wilson(successes: Int, trials: Int) -> ClosedRange<Double>? {
        guard trials > 0, (0...trials).contains(successes) else { return nil }
        let z = 1.959964
        let (k, n) = (Double(successes), Double(trials))
        let spread = z * (k * (n - k) / n + z * z / 4).squareRoot()
        let lower = (k + z * z / 2 - spread) / (n + z * z)
        let upper = (k + z * z / 2 + spread) / (n + z * z)
        return max(0, lower)...min(1, upper)
    }
}
