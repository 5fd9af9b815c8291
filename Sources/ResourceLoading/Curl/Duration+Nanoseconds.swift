extension Duration {
    /// The whole in nanoseconds, at the ends of Int64 where it is longer than 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        let (sum, passes) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return passes ? (seconds < 0 ? .min : .max) : sum
    }
}
