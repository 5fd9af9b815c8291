import CLinux
import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// The router between two cables, whose queues are the link; used in its own network namespace.
struct Router: ~Copyable {
    /// An interface of the router, and the network that it leads to.
    private struct Port {
        let name: String
        let ipv4: [UInt8]
        let ipv6: [UInt8]
        /// The network behind the interface; nil for the default route.
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

    /// Brings up the router's ends of the cables, and makes it forward packets.
    ///
    /// Returns sockets that see the packets that leave it: the client's packets, then the host's.
    func make(_ configuration: SandboxRequest.Configure) throws(SandboxReply.Failure) -> [FileDescriptor] {
        let ports = Self.ports(IPv6Addresses(configuration))
        for port in ports { try bringUp(port, configuration) }
        for setting in Setting.loopback(configuration) {
            if let error = setting.apply() { throw .init(.forwarding, error, detail: setting.path) }
        }
        try Forwarding.switchOnIPv4()
        // If there is no IPv6, the ends add a note.
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
        try SandboxStage.link.attempt(port.name) {
            try Interface.prepare(
                index, by: socket, mtu: configuration.mtu, queueLength: configuration.queueLength)
            try Cable.prepare(index, by: socket)
            // With multicast it would advertise itself as a router to its neighbours.
            try socket.request(InterfaceChange(hasMulticast: false).message(for: index))
            try socket.request(InterfaceAddress(.v4, port.ipv4, prefixLength: 30).alone.addition(to: index))
            try? socket.request(InterfaceAddress(.v6, port.ipv6, prefixLength: 64).alone.addition(to: index))
            try socket.bringUp(index)
            try socket.request(Route(.v4, to: port.network?.ipv4, prefix: 30, over: index).addition)
            try? socket.request(Route(.v6, to: port.network?.ipv6, prefix: 64, over: index).addition)
        }
    }
}

/// The settings of both ends of a cable, so that neither end must look up the other's hardware address.
enum Cable {
    /// The hardware address of both ends: each end sends to its own address, and the other end accepts it.
    ///
    /// Cables are never connected to each other.
    private static let hardware: [UInt8] = [0x02, 0x77, 0, 0, 0, 1]

    /// Prepares an end before it comes up: no neighbour lookup may be lost on the link, or use its time.
    static func prepare(_ index: UInt32, by socket: borrowing RouteSocket) throws(NetlinkError) {
        try socket.request(InterfaceChange(asksForNeighbours: false, hardware: hardware).message(for: index))
    }
}

/// The forwarding of packets in the current network namespace.
enum Forwarding {
    /// Enables forwarding of IPv4 packets.
    static func switchOnIPv4() throws(SandboxReply.Failure) { try switchOn("net/ipv4/ip_forward") }

    /// Enables forwarding of IPv6 packets.
    static func switchOnIPv6() throws(SandboxReply.Failure) { try switchOn("net/ipv6/conf/all/forwarding") }

    private static func switchOn(_ setting: String) throws(SandboxReply.Failure) {
        try SandboxStage.forwarding.attempt("/proc/sys/\(setting)") { try SystemSettings.write("1", to: setting) }
    }
}
