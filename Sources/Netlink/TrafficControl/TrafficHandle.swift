import CNetlink

/// The handle of a queue, a class or a filter of an interface: `1:` is a queue, `1:10` a class of it, both hexadecimal.
package struct TrafficHandle: Hashable, Sendable, CustomStringConvertible {
    package let number: UInt32

    package init(number: UInt32) {
        self.number = number
    }

    package init(_ major: UInt16, _ minor: UInt16 = 0) {
        number = UInt32(major) << 16 | UInt32(minor)
    }

    /// The parent of an interface's root queue.
    package static let root = TrafficHandle(number: 0xffff_ffff)
    /// The parent of the queue that incoming traffic passes.
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
