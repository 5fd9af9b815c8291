import CNetlink

/// A rate in bytes per second, as messages have it: in 32 bits, and in 64 where it is 4.3 GB/s or more.
package struct ByteRate: Hashable, Sendable {
    package let bytesPerSecond: UInt64

    package init(bytesPerSecond: UInt64) {
        precondition(bytesPerSecond > 0, "a rate is more than 0")
        self.bytesPerSecond = bytesPerSecond
    }

    /// What 32 bits can say of it.
    var short: UInt32 { UInt32(clamping: bytesPerSecond) }

    /// All of it, where 32 bits are too few.
    var long: UInt64? { bytesPerSecond > UInt64(UInt32.max) ? bytesPerSecond : nil }

    /// A `struct tc_ratespec`, without what only tables need.
    ///
    /// The kernel asks for no table where it is told the link layer.
    var specification: [UInt8] {
        var bytes: [UInt8] = [0, UInt8(TC_LINKLAYER_ETHERNET.rawValue)]
        for field in [UInt16(0), 0, 0] { bytes.append(native: field) }
        bytes.append(native: short)
        return bytes
    }

    static let specificationSize = 12

    /// Reads a `struct tc_ratespec`; `long` is there where 32 bits were too few.
    static func read(_ specification: ReceivedBytes?, long: ReceivedBytes?) -> UInt64? {
        guard let short = specification?.integer(at: 8, as: UInt32.self) else { return nil }
        return long?.integer(as: UInt64.self) ?? UInt64(short)
    }
}
