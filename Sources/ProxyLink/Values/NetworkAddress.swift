internal import NIOCore

/// An IPv4 or IPv6 address as connect(2) uses it: an IPv4-mapped one becomes IPv4, a wildcard becomes loopback.
struct NetworkAddress: Hashable, Sendable {
    /// The address in network order: 4 or 16 bytes.
    let bytes: [UInt8]
    /// Whether it was 0.0.0.0 or ::, which listens at all addresses, and connects to loopback.
    let isWildcard: Bool

    /// Nil for no address, or one of another family.
    init?(_ address: SocketAddress?) {
        let packed: [UInt8]
        switch address {
        case .v4(let address): packed = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): packed = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket, nil: return nil
        }
        // An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
        let isMapped =
            packed.count == 16 && packed.prefix(10).allSatisfy { $0 == 0 } && packed[10...11] == [0xFF, 0xFF]
        let plain = isMapped ? Array(packed.suffix(4)) : packed
        isWildcard = plain.allSatisfy { $0 == 0 }
        bytes = !isWildcard ? plain : plain.count == 4 ? [127, 0, 0, 1] : Array(repeating: 0, count: 15) + [1]
    }

    /// Nil if `host` is a name.
    init?(host: String) { self.init(try? SocketAddress(ipAddress: host, port: 0)) }

    /// Whether it is in 127.0.0.0/8 or is ::1.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// Whether it is in 169.254.0.0/16 (RFC 3927) or fe80::/10 (RFC 4291 §2.5.6).
    var isLinkLocal: Bool {
        bytes.count == 4 ? bytes[0...1] == [169, 254] : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Whether it is loopback or belongs to an interface of this machine, as getifaddrs(3) lists them now.
    var isThisMachine: Bool {
        if isLoopback { return true }
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.contains { NetworkAddress($0.address)?.bytes == bytes }
    }
}
