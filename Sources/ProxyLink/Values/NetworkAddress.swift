internal import NIOCore

/// An address of IPv4 or IPv6 as connect(2) takes it: an address of IPv4 within IPv6 is the former, and none stands for loopback.
struct NetworkAddress: Hashable, Sendable {
    /// In network order: 4 bytes, or 16.
    let bytes: [UInt8]
    /// 0.0.0.0 or ::, which listens at all addresses, and which connects to loopback.
    let isWildcard: Bool

    /// Nil for a socket of another family.
    init?(_ address: SocketAddress?) {
        let packed: [UInt8]
        switch address {
        case .v4(let address): packed = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): packed = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket, nil: return nil
        }
        // RFC 4291 §2.5.5.2.
        let isMapped =
            packed.count == 16 && packed.prefix(10).allSatisfy { $0 == 0 } && packed[10...11] == [0xFF, 0xFF]
        let plain = isMapped ? Array(packed.suffix(4)) : packed
        isWildcard = plain.allSatisfy { $0 == 0 }
        bytes = !isWildcard ? plain : plain.count == 4 ? [127, 0, 0, 1] : Array(repeating: 0, count: 15) + [1]
    }

    /// Nil where `host` is a name.
    init?(host: String) { self.init(try? SocketAddress(ipAddress: host, port: 0)) }

    /// 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// 169.254.0.0/16 (RFC 3927) or fe80::/10 (RFC 4291 §2.5.6).
    var isLinkLocal: Bool {
        bytes.count == 4 ? bytes[0...1] == [169, 254] : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Whether it is loopback or belongs to an interface of this machine, as getifaddrs(3) has them now.
    var isThisMachine: Bool {
        if isLoopback { return true }
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.contains { NetworkAddress($0.address)?.bytes == bytes }
    }
}
