import NIOCore

extension Duration {
    /// The duration in whole nanoseconds, truncated; clamped to the range of 64 bits.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
    }

    /// The duration in seconds with three decimals, for sentences.
    var inSeconds: String {
        let milliseconds = wholeNanoseconds / 1_000_000
        let digits = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits) s"
    }
}

extension NIODeadline {
    /// CLOCK_MONOTONIC now, in nanoseconds.
    static var stamp: Int64 { Int64(clamping: now().uptimeNanoseconds) }

    static func + (deadline: NIODeadline, duration: Duration) -> NIODeadline {
        // The limit of almost a century prevents an overflow.
        deadline + TimeAmount.nanoseconds(min(max(0, duration.wholeNanoseconds), 3_000_000_000_000_000_000))
    }
}
