extension Duration {
    /// The duration in nanoseconds, limited to the range of Int64, which is 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
    }
}
