import CNetlink

/// A rate in bytes per second, as messages have it: in 32 bits, and also in 64 if it is 4.3 GB/s or more.
package struct ByteRate: Hashable, Sendable {
    package let bytesPerSecond: UInt64

    package init(bytesPerSecond: UInt64) {
        precondition(bytesPerSecond > 0, "a rate is more than 0")
        self.bytesPerSecond = bytesPerSecond
    }

    /// The rate in 32 bits, or the greatest such number.
    var short: UInt32 { UInt32(clamping: bytesPerSecond) }

    /// The rate in 64 bits; nil if 32 bits are enough.
    var long: UInt64? { bytesPerSecond > UInt64(UInt32.max) ? bytesPerSecond : nil }

    /// A `struct tc_ratespec`, without the fields for tables.
    ///
    /// The kernel needs no table if the link layer is given.
    var specification: [UInt8] {
        [0, UInt8(TC_LINKLAYER_ETHERNET.rawValue), 0, 0, 0, 0, 0, 0] + [UInt8](native: [short])
    }

    static let specificationSize = 12

    /// Reads a `struct tc_ratespec`; `long` is present if 32 bits were too few.
    static func read(_ specification: ReceivedBytes?, long: ReceivedBytes?) -> UInt64? {
        guard let short = specification?.integer(at: 8, as: UInt32.self) else { return nil }
        return long?.integer(as: UInt64.self) ?? UInt64(short)
    }
}

extension ByteRate: CustomStringConvertible {
    /// In bits per second.
    package var description: String {
        let (bits, isOver) = bytesPerSecond.multipliedReportingOverflow(by: 8)
        return isOver ? "\(bytesPerSecond)B/s" : "\(bits)bit"
    }
}

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
