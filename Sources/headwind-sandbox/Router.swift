import CLinux
import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// The router between two cables, whose queues are the link; for use in its network namespace.
struct Router: ~Copyable {
    /// What one of its interfaces is, and where it leads.
    private struct Port {
        let name: String
        let ipv4: [UInt8]
        let ipv6: [UInt8]
        /// The network behind it; nil for everywhere else.
        let network: (ipv4: [UInt8], ipv6: [UInt8])?
    }

    private static func ports(_ addresses: IPv6Addresses) -> [Port] {
        [
            Port(
                name: SandboxRouter.toClient, ipv4: [10, 77, 0, 1], ipv6: addresses[0, 1],
                network: ([10, 77, 0, 0], addresses[0, 0])),
            Port(name: SandboxRouter.toHost, ipv4: [10, 77, 1, 1], ipv6: addresses[1, 1], network: nil),
        ]
    }

    private let socket: RouteSocket

    init(_ socket: consuming RouteSocket) { self.socket = socket }

    /// Brings the router's ends of the cables up, and has it pass packets on.
    ///
    /// Answers sockets that show what leaves by it: the client's packets, then the host's.
    func make(_ configuration: SandboxRequest.Configure) throws(SandboxReply.Failure) -> [FileDescriptor] {
        let ports = Self.ports(IPv6Addresses(configuration))
        for port in ports { try bringUp(port, configuration) }
        for setting in Setting.loopback(configuration) {
            if let error = setting.apply() { throw .init(.forwarding, error, detail: setting.path) }
        }
        try Forwarding.switchOnIPv4()
        // The ends say so where there is none.
        try? Forwarding.switchOnIPv6()
        var taps: [FileDescriptor] = []
        for port in ports.reversed() {
            let tap = unsafe headwind_tap_open(if_nametoindex(port.name))
            guard tap >= 0 else {
                let error = Errno(rawValue: errno)
                for tap in taps { try? tap.close() }
                throw .init(.watch, error, detail: port.name)
            }
            taps.append(FileDescriptor(rawValue: tap))
        }
        return taps
    }

    private func bringUp(_ port: Port, _ configuration: SandboxRequest.Configure) throws(SandboxReply.Failure) {
        let index = unsafe if_nametoindex(port.name)
        do {
            try Interface.prepare(
                index, by: socket, mtu: configuration.mtu, queueLength: configuration.queueLength)
            try Cable.prepare(index, by: socket)
            // It would tell its neighbours that it is a router.
            try socket.request(InterfaceChange(hasMulticast: false).message(for: index))
            try socket.request(address(.v4, port.ipv4, prefix: 30).addition(to: index))
            try? socket.request(address(.v6, port.ipv6, prefix: 64).addition(to: index))
            try socket.bringUp(index)
            try socket.request(route(.v4, port.network?.ipv4, prefix: 30, over: index).addition)
            try? socket.request(route(.v6, port.network?.ipv6, prefix: 64, over: index).addition)
        } catch {
            throw .init(.link, error.code, detail: port.name)
        }
    }

    private func address(_ family: InternetFamily, _ bytes: [UInt8], prefix: UInt8) -> InterfaceAddress {
        var address = InterfaceAddress(family, bytes, prefixLength: prefix)
        address.looksForDoubles = false
        address.hasPrefixRoute = false
        return address
    }

    private func route(
        _ family: InternetFamily, _ destination: [UInt8]?, prefix: UInt8, over index: UInt32
    ) -> Route {
        var route = Route(family)
        route.scope = family == .v4 ? .link : .universe
        route.destination = destination
        route.prefixLength = destination == nil ? 0 : prefix
        route.interface = index
        return route
    }
}

/// What both ends of a cable have, so that neither end must ask who is at the other.
enum Cable {
    /// Both ends have it: what one sends to itself the other one takes for its own.
    ///
    /// Cables never meet.
    private static let hardware: [UInt8] = [0x02, 0x77, 0, 0, 0, 1]

    /// What must be before it is up: no question for a neighbour is to be lost on the link, nor to take its time.
    static func prepare(_ index: UInt32, by socket: borrowing RouteSocket) throws(NetlinkError) {
        try socket.request(InterfaceChange(asksForNeighbours: false, hardware: hardware).message(for: index))
    }
}

/// Whether packets for others are passed on in the current network namespace.
enum Forwarding {
    /// Has packets of IPv4 passed on.
    static func switchOnIPv4() throws(SandboxReply.Failure) { try switchOn("net/ipv4/ip_forward") }

    /// Has packets of IPv6 passed on.
    static func switchOnIPv6() throws(SandboxReply.Failure) { try switchOn("net/ipv6/conf/all/forwarding") }

    private static func switchOn(_ setting: String) throws(SandboxReply.Failure) {
        do { try SystemSettings.write("1", to: setting) } catch {
            throw .init(.forwarding, error as? Errno ?? .ioError, detail: "/proc/sys/\(setting)")
        }
    }
}
