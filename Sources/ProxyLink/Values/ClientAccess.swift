internal import NIOCore

/// Who may use a proxy's own listeners, and what clients have to say.
package struct ClientAccess: Sendable, Hashable {
    /// The clients on other machines that are let in; empty, as by default: all of them.
    package var ranges: [AddressRange]
    /// What clients of the forward proxy, and readers of its page, have to say; nil, as by default: nothing.
    package var credentials: ProxyCredentials?

    package init(ranges: [AddressRange] = [], credentials: ProxyCredentials? = nil) {
        self.ranges = ranges
        self.credentials = credentials
    }

    /// Throws where a client is on another machine, and is not let in.
    func check(_ client: SocketAddress?) throws(Denial) {
        guard !ranges.isEmpty else { return }
        let address = client?.ipAddress ?? ""
        guard !ranges.contains(where: { $0.contains(address) }), NetworkAddress(client)?.isThisMachine != true else {
            return
        }
        throw .stranger(address)
    }
}
