import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// Takes the client's TCP connections until they are admitted to the host's network, as if to addresses of its own.
///
/// Used in the host's network namespace. See ip-rule(8).
struct TCPIntercept {
    private static let name = "intercept0"
    /// The table of routes to the intercept; `localTable` has routes that make every address local.
    private static let interceptTable: UInt8 = 101
    private static let localTable: UInt8 = 100
    private static let admitPriority: UInt32 = 1000
    private static let interceptPriority: UInt32 = 3000

    /// The TUN's descriptor, which packets are read from and written to.
    let descriptor: FileDescriptor

    /// Makes the intercept, after the routes outside exist.
    ///
    /// Throws if the kernel has no rules for routes: TCP then takes the same route as all packets.
    init(
        _ request: SandboxRequest.Attach, by socket: borrowing RouteSocket, queueLength: Int
    ) throws(SandboxReply.Failure) {
        let intercept: Interface
        (intercept, descriptor) = try Interface.tun(Self.name)
        do {
            try Interface.prepare(intercept.index, by: socket, mtu: nil, queueLength: queueLength)
            try socket.bringUp(intercept.index)
            for setting in ["all", Self.name] {
                // The source of packets from the intercept is the client, which is behind the link.
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
            // pasta answers no ping to this machine. The reader of the intercept does.
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

    /// Admits connections to the address and port of the request.
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
        var route = Route(family, over: index)
        (route.kind, route.table) = (kind, table)
        if kind == .local { route.scope = .host }
        try socket.request(route.addition)
    }
}
