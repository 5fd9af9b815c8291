extension Conditions {
    /// The delay of a packet that drew `unit`, 0 or more and below 1; never negative.
    func delay(at unit: Double) -> Duration {
        guard let jitter else { return delay }
        let offset = jitter.distribution.quantile(unit) * Double(jitter.amount.nanoseconds)
        return .nanoseconds(max(0, delay.nanoseconds + Int64(offset)))
    }
}
