import Glibc

/// The machine's ways to a network.
enum NetworkInterfaces {
    /// Whether an interface besides loopback is up, has a carrier and an address that leads anywhere (getifaddrs(3)).
    ///
    /// True where the system does not say: then a failure is reported for what it looks like.
    static var hasUsableOne: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return true }
        defer { unsafe freeifaddrs(list) }
        var next = unsafe list
        while let interface = unsafe next {
            if unsafe isUsable(interface.pointee) { return true }
            unsafe next = interface.pointee.ifa_next
        }
        return false
    }

    /// IFF_LOWER_UP of netdevice(7): there is a carrier, such as a cable that is plugged in.
    private static let carrier: UInt32 = 0x10000

    private static func isUsable(_ interface: ifaddrs) -> Bool {
        let flags = unsafe interface.ifa_flags
        let isUp = flags & UInt32(IFF_UP) != 0 && flags & carrier != 0 && flags & UInt32(IFF_LOOPBACK) == 0
        guard isUp, let address = unsafe interface.ifa_addr else { return false }
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET: return true
        case AF_INET6:
            // fe80::/10 leads no further than the next cable.
            return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                unsafe withUnsafeBytes(of: address.pointee.sin6_addr) {
                    unsafe !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80)
                }
            }
        default: return false
        }
    }
}
