import CLinux
import CNetlink
import CellMessages
import Glibc
import SystemPackage

/// The way from the host's network to those of this machine, through an interface that a program outside has made there.
struct OutsideRoutes: ~Copyable {
    /// What stands for this machine at the other end of the interface; all packets go to it.
    private static let stationIPv4: [UInt8] = [10, 77, 2, 1]
    private static let stationIPv6: [UInt8] = [0xfd, 0x77, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    /// The one that the program outside has been told to have, so that nobody must ask for it.
    private static let stationHardware: [UInt8] = [0x9a, 0x55, 0x9a, 0x55, 0x9a, 0x55]

    private let socket: RouteSocket
    private let outside: UInt32
    private let link: UInt32
    private let configuration: CellRequest.Configure

    /// Takes the interface `name` of the current network namespace.
    ///
    /// Throws `.attach` and `ENODEV` where it is not there, yet.
    init(_ name: String, _ configuration: CellRequest.Configure) throws(CellReply.Failure) {
        outside = unsafe if_nametoindex(name)
        link = unsafe if_nametoindex(Interface.name)
        guard outside != 0, link != 0 else { throw .init(.attach, .operationNotSupportedByDevice, detail: name) }
        socket = try RouteSocket()
        self.configuration = configuration
    }

    /// Where connections of the client go first; `nil` where the kernel has no rules for that.
    func trap(_ request: CellRequest.Attach) -> TransportTrap? {
        try? TransportTrap(request, by: socket, queueLength: configuration.queueLength)
    }

    /// Brings the interface up, makes it the way to everywhere but the client, and forwards packets.
    func make(_ request: CellRequest.Attach) throws(CellReply.Failure) {
        do {
            try Interface.prepare(outside, by: socket, mtu: nil, queueLength: configuration.queueLength)
            try socket.bringUp(outside)
        } catch {
            throw .init(.link, error, detail: request.interface)
        }
        try Interface.addRoute(
            to: [10, 77, 0, 0], prefix: 30, over: link, from: Network.hostIPv4, family: AF_INET, by: socket,
            configuration)
        try lead(family: AF_INET, to: request.hasIPv4 ? Self.stationIPv4 : nil)
        try forward("/proc/sys/net/ipv4/ip_forward")
        do {
            try Interface.addRoute(
                to: [0xfd, 0x77] + [UInt8](repeating: 0, count: 14), prefix: 64, over: link, from: Network.hostIPv6,
                family: AF_INET6, by: socket, configuration)
        } catch {
            // The link has none, which was noted when it came up.
            return
        }
        try lead(family: AF_INET6, to: request.hasIPv6 ? Self.stationIPv6 : nil)
        try forward("/proc/sys/net/ipv6/conf/all/forwarding")
    }

    /// Puts a way in the place of the default route; none, `nil`, is said to whoever takes it.
    private func lead(family: Int32, to station: [UInt8]?) throws(CellReply.Failure) {
        do {
            guard let station else {
                return try replaceDefault(family: family, RTN_UNREACHABLE, flags: 0) { _ in }
            }
            let neighbour = ndmsg(
                ndm_family: UInt8(family), ndm_pad1: 0, ndm_pad2: 0, ndm_ifindex: Int32(outside),
                ndm_state: UInt16(NUD_PERMANENT), ndm_flags: 0, ndm_type: 0)
            try socket.request(Int32(RTM_NEWNEIGH), flags: NLM_F_CREATE | NLM_F_REPLACE, header: neighbour) { message in
                message.add(Int(NDA_DST), station)
                message.add(Int(NDA_LLADDR), Self.stationHardware)
            }
            let outside = outside
            try replaceDefault(family: family, RTN_UNICAST, flags: UInt32(RTNH_F_ONLINK)) { message in
                message.add(Int(RTA_OIF.rawValue), outside)
                message.add(Int(RTA_GATEWAY.rawValue), station)
            }
        } catch {
            throw .init(.route, error, detail: "to this machine's networks")
        }
    }

    private func replaceDefault(
        family: Int32, _ type: Int, flags: UInt32, _ attributes: (borrowing RouteMessage) -> Void
    ) throws(Errno) {
        // An interface's default route of IPv6 and one without an interface do not replace each other.
        if family == AF_INET6 {
            let old = Interface.routeHeader(prefix: 0, family: family, scope: Int(RT_SCOPE_UNIVERSE.rawValue))
            let link = link
            try? socket.request(Int32(RTM_DELROUTE), header: old) { $0.add(Int(RTA_OIF.rawValue), link) }
        }
        var header = Interface.routeHeader(prefix: 0, family: family, scope: Int(RT_SCOPE_UNIVERSE.rawValue))
        header.rtm_type = UInt8(type)
        header.rtm_flags = flags
        try socket.request(
            Int32(RTM_NEWROUTE), flags: NLM_F_CREATE | NLM_F_REPLACE, header: header, attributes)
    }

    private func forward(_ path: FilePath) throws(CellReply.Failure) {
        do {
            let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
            try file.closeAfter { _ = try file.writeAll("1".utf8) }
        } catch {
            throw .init(.forwarding, error as? Errno ?? .ioError, detail: path.string)
        }
    }
}
