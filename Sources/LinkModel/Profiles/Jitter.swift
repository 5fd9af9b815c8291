private import Glibc

/// How much the delay of single packets varies.
///
/// Packets keep their order: jitter never lets one overtake another.
package struct Jitter: Hashable, Sendable {
    /// The shape of the variation.
    package enum Distribution: String, CaseIterable, Sendable {
        /// Evenly between delay − amount and delay + amount.
        case uniform
        /// Normal, with `amount` as standard deviation, cut off at three of them.
        case normal
    }

    package var amount: Duration
    package var distribution: Distribution

    package init(amount: Duration, distribution: Distribution = .uniform) {
        self.amount = amount
        self.distribution = distribution
    }
}

extension Jitter.Distribution {
    /// The deviation from the delay of a packet whose random number is `unit`, 0 or more and below 1; in jitters.
    package func quantile(_ unit: Double) -> Double {
        switch self {
        case .uniform: 2 * unit - 1
        case .normal: Self.normalQuantile(unit)
        }
    }

    /// The quantile of the standard normal distribution, cut off at ±3.
    ///
    /// Abramowitz and Stegun 26.2.23, error below 4.5e-4.
    private static func normalQuantile(_ unit: Double) -> Double {
        let tail = min(max(min(unit, 1 - unit), 1e-12), 0.5)
        let t = (-2 * log(tail)).squareRoot()
        let numerator = 2.515517 + t * (0.802853 + t * 0.010328)
        let denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
        let quantile = min(3, t - numerator / denominator)
        return unit < 0.5 ? -quantile : quantile
    }
}
