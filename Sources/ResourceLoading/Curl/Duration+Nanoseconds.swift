extension Duration {
    /// The duration in nanoseconds, limited to the range of Int64, which is 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        let (sum, passes) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return passes ? (seconds < 0 ? .min : .max) : sum
    }
}
