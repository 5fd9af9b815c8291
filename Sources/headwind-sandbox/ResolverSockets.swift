import SandboxMessages
import SystemPackage

/// Where the resolver is asked: port 53 of the host's addresses, by UDP and TCP.
struct ResolverSockets {
    private(set) var datagrams: [FileDescriptor] = []
    private(set) var listeners: [FileDescriptor] = []
    let hasIPv6: Bool

    /// Opens them in the current network namespace.
    init(hasIPv6: Bool) throws(SandboxReply.Failure) {
        self.hasIPv6 = hasIPv6
        for isIPv6 in hasIPv6 ? [false, true] : [false] {
            do {
                let address = isIPv6 ? Network.hostIPv6 : Network.hostIPv4
                let datagram = try InternetSocket.open(isIPv6: isIPv6, isStream: false)
                try InternetSocket.bind(datagram, isIPv6: isIPv6, address: address, port: 53)
                let listener = try InternetSocket.open(isIPv6: isIPv6, isStream: true)
                try InternetSocket.bind(listener, isIPv6: isIPv6, address: address, port: 53)
                try InternetSocket.listen(listener, backlog: 64)
                datagrams.append(datagram)
                listeners.append(listener)
            } catch {
                throw .init(.resolver, error.error, detail: isIPv6 ? "IPv6" : "IPv4")
            }
        }
    }
}
