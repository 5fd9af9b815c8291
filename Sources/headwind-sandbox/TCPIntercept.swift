import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// Where TCP of the client goes that is not let in yet, and how it is let in: into the host's network, as its own.
///
/// See ip-rule(8). For use in the host's network namespace.
struct TCPIntercept {
    private static let name = "intercept0"
    /// Routes of the intercept, and routes by which everything is local.
    private static let interceptTable: UInt8 = 101
    private static let localTable: UInt8 = 100
    private static let admitPriority: UInt32 = 1000
    private static let interceptPriority: UInt32 = 3000

    /// Gives the packets and takes them.
    let descriptor: FileDescriptor

    /// Makes it, after the way outside has been made.
    ///
    /// Throws where the kernel has no rules for routes: then TCP goes the way of all packets.
    init(
        _ request: SandboxRequest.Attach, by socket: borrowing RouteSocket, queueLength: Int
    ) throws(SandboxReply.Failure) {
        let intercept: Interface
        (intercept, descriptor) = try Interface.tun(Self.name)
        do {
            try Interface.prepare(intercept.index, by: socket, mtu: nil, queueLength: queueLength)
            try socket.bringUp(intercept.index)
            for setting in ["all", Self.name] {
                // What comes back out of the intercept has come in by the link before.
                try SystemSettings.write("0", to: "net/ipv4/conf/\(setting)/rp_filter")
            }
            for family in [InternetFamily.v4] + (request.hasIPv6 ? [.v6] : []) {
                try Self.addRoute(Self.localTable, .local, family, over: 1, by: socket)
                try Self.addRoute(Self.interceptTable, .unicast, family, over: intercept.index, by: socket)
                var rule = RoutingRule(family, table: Self.interceptTable, priority: Self.interceptPriority)
                rule.transport = UInt8(IPPROTO_TCP)
                rule.incomingInterface = Interface.name
                try socket.request(rule.addition)
            }
            // pasta answers no ping to this machine: who takes the packets does.
            var pings = RoutingRule(.v4, table: Self.interceptTable, priority: Self.interceptPriority)
            pings.transport = UInt8(IPPROTO_ICMP)
            pings.incomingInterface = Interface.name
            pings.destination = OutsideRoutes.stationIPv4
            try socket.request(pings.addition)
        } catch {
            try? descriptor.close()
            let code = (error as? NetlinkError)?.code ?? error as? Errno ?? .ioError
            throw .init(.route, code, detail: "for connections")
        }
    }

    /// Lets connections to an end in.
    static func admit(_ request: SandboxRequest.Admit, by socket: borrowing RouteSocket) throws(SandboxReply.Failure) {
        guard [4, 16].contains(request.address.count) else { throw .init(.route, .invalidArgument) }
        let family: InternetFamily = request.address.count == 4 ? .v4 : .v6
        var rule = RoutingRule(family, table: localTable, priority: admitPriority)
        rule.transport = UInt8(IPPROTO_TCP)
        rule.destination = request.address
        rule.destinationPort = request.port
        do {
            try socket.request(rule.addition)
        } catch {
            guard error.code != .fileExists else { return }
            throw .init(.route, error.code, detail: "for connections")
        }
    }

    private static func addRoute(
        _ table: UInt8, _ kind: Route.Kind, _ family: InternetFamily, over index: UInt32,
        by socket: borrowing RouteSocket
    ) throws(NetlinkError) {
        var route = Route(family)
        route.kind = kind
        route.scope = kind == .local ? .host : family == .v4 ? .link : .universe
        route.interface = index
        route.table = table
        try socket.request(route.addition)
    }
}
