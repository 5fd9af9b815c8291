import CNetlink

/// What a queue, a class or a filter of an interface is called by: `1:` a queue, `1:10` a class of it; both hexadecimal.
package struct TrafficHandle: Hashable, Sendable, CustomStringConvertible {
    package let number: UInt32

    package init(number: UInt32) {
        self.number = number
    }

    package init(_ major: UInt16, _ minor: UInt16 = 0) {
        number = UInt32(major) << 16 | UInt32(minor)
    }

    /// Where an interface's own queue is.
    package static let root = TrafficHandle(number: 0xffff_ffff)
    /// Where what comes in passes by.
    package static let ingress = TrafficHandle(number: 0xffff_fff1)
    /// The kernel chooses.
    package static let unspecified = TrafficHandle(number: 0)

    package var major: UInt16 { UInt16(number >> 16) }
    package var minor: UInt16 { UInt16(truncatingIfNeeded: number) }

    package var description: String {
        switch self {
        case .root: "root"
        case .ingress: "ingress"
        default: "\(String(major, radix: 16)):\(minor == 0 ? "" : String(minor, radix: 16))"
        }
    }
}
