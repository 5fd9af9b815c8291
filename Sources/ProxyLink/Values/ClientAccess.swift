internal import LinuxSupport
internal import NIOCore

/// Which clients may use a proxy's own listeners, and the credentials that they must send.
package struct ClientAccess: Sendable, Hashable {
    /// The addresses of clients on other machines that are allowed; empty, the default: all.
    package var ranges: [AddressRange]
    /// The credentials that clients of the forward proxy, and readers of its page, must send; nil, the default: none.
    package var credentials: ProxyCredentials?

    package init(ranges: [AddressRange] = [], credentials: ProxyCredentials? = nil) {
        self.ranges = ranges
        self.credentials = credentials
    }

    /// Throws ``Denial/stranger(_:)`` if a client is on another machine and in none of the ranges.
    func check(_ client: SocketAddress?) throws(Denial) {
        guard !ranges.isEmpty else { return }
        let address = client?.ipAddress ?? ""
        guard !ranges.contains(where: { $0.contains(address) }),
            InternetAddress(connecting: client)?.isThisMachine != true
        else { return }
        throw .stranger(address)
    }
}
