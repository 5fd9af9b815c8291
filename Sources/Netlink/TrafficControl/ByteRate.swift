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
