import CCurl
import Glibc
import LinuxSupport

/// The machine's network interfaces.
enum NetworkInterfaces {
    /// Whether an interface other than loopback is up, has a carrier, and an address not of IPv6's local links
    /// (getifaddrs(3)).
    ///
    /// True if the system does not say: then a failure is reported as what it looks like.
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
            // fe80::/10 addresses are valid only on their own link.
            return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                unsafe withUnsafeBytes(of: address.pointee.sin6_addr) {
                    unsafe !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80)
                }
            }
        default: return false
        }
    }
}

/// The machine's route to a host.
enum HostRoute {
    /// Whether the system has no route to a numeric address, for example because its last network is gone.
    ///
    /// It connects a datagram socket, which sends nothing and answers at once (connect(2)). False if that gives no
    /// answer.
    static func isMissing(to address: String) -> Bool {
        // Port 9 (RFC 863) stands for any port, because nothing is sent.
        guard let name = SocketName(address, port: 9) else { return false }
        let family = name.address.count == 4 ? AF_INET : AF_INET6
        let socket = socket(family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        return [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(name.connect(socket))
    }
}

/// The machine's resolver, which libcurl uses to look up names.
enum NameLookup {
    /// Whether a lookup that failed after this many nanoseconds got no answer at all.
    ///
    /// libcurl does not say why a lookup failed, and getaddrinfo(3) has one error for a silent server and for one that
    /// refuses. A server that answers at all does so before the time limit of the last try.
    static func isSilent(after time: Int64, wait: Duration = wait) -> Bool {
        // 5% less, because rounding here or in the resolver must not turn silence into an answer.
        time >= wait.nanoseconds / 20 * 19
    }

    /// How long the resolver waits for one server: `timeout` times `attempts` of resolv.conf(5), 10 s unless set.
    private static var wait: Duration { .seconds(Int(headwind_resolver_seconds())) }
}
