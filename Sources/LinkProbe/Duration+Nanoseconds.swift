import NIOCore

extension Duration {
    /// In nanoseconds, what is smaller cut off; a duration beyond what 64 bits hold is the greatest that they hold.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowedToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed || overflowedToo ? (seconds < 0 ? .min : .max) : sum
    }

    /// In seconds with three digits, for sentences.
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
        // A century is as good as for ever, and does not overflow.
        deadline + TimeAmount.nanoseconds(min(max(0, duration.wholeNanoseconds), 3_000_000_000_000_000_000))
    }
}
