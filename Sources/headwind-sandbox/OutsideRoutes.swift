import CLinux
import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// The route from the host's network to this machine's networks, through an interface that a program outside makes
/// there.
struct OutsideRoutes: ~Copyable {
    /// The address of this machine at the other end of the interface: the gateway of all packets.
    static let stationIPv4: [UInt8] = [10, 77, 2, 1]
    private static let stationIPv6: [UInt8] = [0xfd, 0x77, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    /// The hardware address that the program outside is given, so that no packet has to ask for it.
    private static let stationHardware: [UInt8] = [0x9a, 0x55, 0x9a, 0x55, 0x9a, 0x55]

    private let socket: RouteSocket
    /// Nil if no interface leads outside.
    private let outside: UInt32?
    private let link: UInt32
    private let configuration: SandboxRequest.Configure

    /// Uses the interface `name` of the current network namespace; nil for none.
    ///
    /// Throws `.attach` with `ENODEV` if it does not exist yet.
    init(_ name: String?, _ configuration: SandboxRequest.Configure) throws(SandboxReply.Failure) {
        outside = name.map { unsafe if_nametoindex($0) }
        link = unsafe if_nametoindex(Interface.name)
        guard outside != 0, link != 0 else {
            throw .init(.attach, .operationNotSupportedByDevice, detail: name ?? Interface.name)
        }
        socket = try RouteSocket.open()
        self.configuration = configuration
    }

    /// The intercept that takes the client's connections first; `nil` if the kernel has no rules for routes.
    func intercept(_ request: SandboxRequest.Attach) -> TCPIntercept? {
        try? TCPIntercept(request, by: socket, queueLength: configuration.queueLength)
    }

    /// Brings the interface up, makes it the default route, keeps a route to the client, and forwards packets.
    func make(_ request: SandboxRequest.Attach) throws(SandboxReply.Failure) {
        if let outside {
            try SandboxStage.link.attempt(request.interface) {
                try Interface.prepare(outside, by: socket, mtu: nil, queueLength: configuration.queueLength)
                try socket.bringUp(outside)
            }
        }
        try Interface.addRoute(
            to: [10, 77, 0, 0], prefix: 30, over: link, from: Network.hostIPv4, family: .v4, by: socket,
            configuration)
        try lead(.v4, to: request.hasIPv4 ? Self.stationIPv4 : nil)
        try Forwarding.switchOnIPv4()
        let addresses = IPv6Addresses(configuration)
        do {
            try Interface.addRoute(
                to: addresses[0, 0], prefix: 64, over: link, from: addresses.host, family: .v6, by: socket,
                configuration)
        } catch {
            // The link has no IPv6, which was noted when it came up.
            return
        }
        try lead(.v6, to: request.hasIPv6 ? Self.stationIPv6 : nil)
        try Forwarding.switchOnIPv6()
    }

    /// Replaces the default route; without a `station`, packets get "unreachable" as an answer.
    private func lead(_ family: InternetFamily, to station: [UInt8]?) throws(SandboxReply.Failure) {
        var route = Route(family)
        try SandboxStage.route.attempt("to this machine's networks") {
            if let station, let outside {
                let neighbour = Neighbour(family, station, hardware: Self.stationHardware)
                try socket.request(neighbour.replacement(on: outside))
                route.interface = outside
                route.gateway = station
                route.isOnLink = true
            } else {
                route.kind = .unreachable
            }
            try replaceDefault(route)
        }
    }

    private func replaceDefault(_ route: Route) throws(NetlinkError) {
        // In IPv6, a default route with an interface and one without do not replace each other.
        if route.family == .v6 {
            var old = Route(.v6)
            old.interface = link
            try? socket.request(old.removal)
        }
        try socket.request(route.replacement)
    }
}
