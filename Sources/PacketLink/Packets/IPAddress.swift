import LinuxSupport

/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    package let isVersion6: Bool
    let high: UInt64
    let low: UInt64

    init(version4 word: UInt32) {
        isVersion6 = false
        high = 0
        low = UInt64(word)
    }

    init(version6 high: UInt64, _ low: UInt64) {
        isVersion6 = true
        self.high = high
        self.low = low
    }

    /// The bytes in network order, as in a packet.
    var bytes: [UInt8] {
        isVersion6 ? high.networkOrder + low.networkOrder : UInt32(truncatingIfNeeded: low).networkOrder
    }

    /// Whether it belongs to one interface, so that an answer may be sent to it (RFC 1122 §3.2.2, RFC 4443 §2.4).
    var isUnicast: Bool {
        if isVersion6 { return high >> 56 != 0xff && (high != 0 || low != 0) }
        return low != 0 && low >> 28 < 0xe
    }

    package var description: String { SocketName(address: bytes, port: 0).addressText }
}

/// An address with a port; for an ICMP echo the port is its identifier, and for protocols without ports it is 0.
package struct PacketEndpoint: Hashable, Sendable, CustomStringConvertible {
    package let address: IPAddress
    package let port: UInt16

    var name: SocketName { SocketName(address: address.bytes, port: port) }

    package var description: String { address.isVersion6 ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
