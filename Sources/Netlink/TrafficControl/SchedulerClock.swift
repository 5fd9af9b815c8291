/// The clock of the kernel's queues, as old fields of messages count it: in ticks of 64 ns.
///
/// That is a constant of every kernel since 2.6.31 (`PSCHED_SHIFT`). /proc/net/psched has it too, but not on every
/// system.
enum SchedulerClock {
    static let nanosecondsPerTick: Int64 = 64

    /// A time in ticks; the greatest number if it is longer than 274.9 s, and 0 if it is negative.
    static func ticks(nanoseconds: Int64) -> UInt32 { UInt32(clamping: nanoseconds / nanosecondsPerTick) }

    /// The time that bytes take at a rate of bytes per second, in ticks; the greatest number if it is longer.
    static func ticks(bytes: UInt32, rate: UInt64) -> UInt32 {
        UInt32(clamping: time(bytes: bytes, rate: rate) / UInt64(nanosecondsPerTick))
    }

    /// The time that bytes take at a rate of bytes per second, in nanoseconds, rounded down.
    static func time(bytes: UInt32, rate: UInt64) -> UInt64 { UInt64(bytes) * 1_000_000_000 / max(rate, 1) }
}
