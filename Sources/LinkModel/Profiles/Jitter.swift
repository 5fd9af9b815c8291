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
