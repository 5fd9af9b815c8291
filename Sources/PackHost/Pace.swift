import NIOCore

/// A speed that is kept without drift: every byte has its own moment, counted from the start.
struct Pace {
    let bytesPerSecond: Int64
    let start: NIODeadline
    /// Bytes that were sent.
    var sent: Int64 = 0

    init(bytesPerSecond: Int64, start: NIODeadline) {
        (self.bytesPerSecond, self.start) = (bytesPerSecond, start)
    }

    /// What is sent at a time: the bytes of 50 ms, at least one.
    var block: Int64 { max(1, bytesPerSecond / 20) }

    /// When `count` bytes more have been due, to the nanosecond.
    func moment(after count: Int64) -> NIODeadline {
        let nanoseconds = Int128(sent + count) * 1_000_000_000 / Int128(bytesPerSecond)
        return start + .nanoseconds(Int64(clamping: nanoseconds))
    }
}
