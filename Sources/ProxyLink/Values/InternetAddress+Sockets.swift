internal import LinuxSupport
internal import NIOCore

extension InternetAddress {
    /// The address that connect(2) uses for this one; nil for no address, or one of another family.
    init?(connecting address: SocketAddress?) {
        guard let packed = address?.packed else { return nil }
        self = InternetAddress(packed).connected
    }

    /// Loopback for a wildcard, else the address itself: what connect(2) uses.
    var connected: InternetAddress {
        guard isWildcard else { return self }
        return InternetAddress(isIPv4 ? [127, 0, 0, 1] : Array(repeating: 0, count: 15) + [1])
    }

    /// Whether connect(2) reaches this machine by it: loopback, a wildcard, or an interface that getifaddrs(3) lists now.
    var isThisMachine: Bool {
        let place = connected
        if place.isLoopback { return true }
        return ((try? System.enumerateDevices()) ?? []).contains { InternetAddress(connecting: $0.address) == place }
    }
}

extension SocketAddress {
    /// The 4 or 16 bytes of the address, in network order; nil for one of another family.
    var packed: [UInt8]? {
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: nil
        }
    }
}
