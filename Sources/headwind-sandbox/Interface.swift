import CLinux
import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// The interface of one end of the link, or of an intercept.
struct Interface {
    /// The name of the link's interface, in both ends: they are in different namespaces.
    static let name = "link0"

    let index: UInt32
    /// Whether it is one end of a cable, rather than a TUN.
    private let isCable: Bool

    /// Makes a TUN in the current network namespace; also returns the descriptor that its packets are read from and
    /// written to.
    static func tun(_ name: String = Self.name) throws(SandboxReply.Failure) -> (Interface, FileDescriptor) {
        let tun = try SandboxStage.tunOpen.attempt("/dev/net/tun") {
            unsafe try FileDescriptor.open("/dev/net/tun", .readWrite, options: [.nonBlocking, .closeOnExec])
        }
        guard unsafe headwind_tun_attach(tun.rawValue, name) == 0 else {
            let error = Errno(rawValue: errno)
            try? tun.close()
            throw .init(.tunAttach, error, detail: name)
        }
        return (Interface(index: unsafe if_nametoindex(name), isCable: false), tun)
    }

    /// Makes a cable from the current network namespace to the router's, where its other end has the name `far`.
    static func cable(
        to far: String, in router: FileDescriptor, by socket: borrowing RouteSocket
    ) throws(SandboxReply.Failure) -> Interface {
        try SandboxStage.cable.attempt(far) {
            try socket.request(
                VirtualInterface.pair(try InterfaceName(Self.name), try InterfaceName(far), peerNamespace: router))
        }
        return Interface(index: unsafe if_nametoindex(Self.name), isCable: true)
    }

    /// Adds its addresses, brings it up, and makes it the default route.
    ///
    /// Returns nil if it has IPv6, or else the error that prevents it.
    func configure(
        by socket: borrowing RouteSocket, ipv4: [UInt8], ipv6: [UInt8], _ configuration: SandboxRequest.Configure
    ) throws(SandboxReply.Failure) -> Errno? {
        try SandboxStage.link.attempt("mtu \(configuration.mtu)") {
            try Self.prepare(index, by: socket, mtu: configuration.mtu, queueLength: configuration.queueLength)
            if isCable { try Cable.prepare(index, by: socket) }
        }
        try add(InterfaceAddress(.v4, ipv4, prefixLength: 30), by: socket)
        var missing: Errno?
        do {
            try add(InterfaceAddress(.v6, ipv6, prefixLength: 64), by: socket)
        } catch {
            // EAFNOSUPPORT, EOPNOTSUPP: the kernel has no IPv6. EINVAL, EACCES: no IPv6 on an interface with a small
            // MTU.
            missing = error.error
        }
        try up(by: socket)
        try Self.addRoute(over: index, from: ipv4, family: .v4, by: socket, configuration)
        if missing == nil {
            try Self.addRoute(over: index, from: ipv6, family: .v6, by: socket, configuration)
        }
        return missing
    }

    /// Prepares an interface before it comes up: with a link-local address the kernel would send packets of its own.
    static func prepare(
        _ index: UInt32, by socket: borrowing RouteSocket, mtu: Int?, queueLength: Int
    ) throws(NetlinkError) {
        let change = InterfaceChange(mtu: mtu.map(UInt32.init), queueLength: UInt32(queueLength))
        try socket.request(change.message(for: index))
        // This fails without IPv6, and then it is not needed.
        try? socket.request(InterfaceChange(makesAddresses: false).message(for: index))
    }

    private func up(by socket: borrowing RouteSocket) throws(SandboxReply.Failure) {
        try SandboxStage.link.attempt(Self.name) { try socket.bringUp(index) }
        // A packet that leaves by a cable is at its other end at once.
        if isCable { return }
        // A FIFO, whatever net.core.default_qdisc says: a queue that paces or drops packets would be a second link.
        // This may fail, as a kernel without queueing disciplines needs none.
        let queue = TrafficQueue(.packetFIFO(packets: nil))
        try? socket.request(queue.message(.replace, on: NetworkInterface(index: index, name: Self.name)))
    }

    private func add(_ address: InterfaceAddress, by socket: borrowing RouteSocket) throws(SandboxReply.Failure) {
        try SandboxStage.address.attempt(address.family == .v4 ? "IPv4" : "IPv6") {
            try socket.request(address.alone.addition(to: index))
        }
    }

    /// Adds a route with the senders' settings; the default route if `destination` is nil.
    static func addRoute(
        to destination: [UInt8]? = nil, prefix: UInt8 = 0, over index: UInt32, from address: [UInt8],
        family: InternetFamily, by socket: borrowing RouteSocket, _ configuration: SandboxRequest.Configure
    ) throws(SandboxReply.Failure) {
        var route = Route(family, to: destination, prefix: prefix, over: index)
        route.source = address
        route.metrics = Route.Metrics(
            congestionControl: configuration.congestionControl, initialWindow: UInt32(configuration.initialWindow))
        try SandboxStage.route.attempt(configuration.congestionControl) { try socket.request(route.addition) }
    }
}

extension InterfaceAddress {
    /// The address, used at once and without a route to its neighbours.
    ///
    /// The one route that is added also leads to the neighbours, so its metrics apply to all destinations.
    var alone: InterfaceAddress {
        var address = self
        (address.looksForDoubles, address.hasPrefixRoute) = (false, false)
        return address
    }
}

extension Route {
    /// A route over an interface; the default route if `destination` is nil.
    init(_ family: InternetFamily, to destination: [UInt8]? = nil, prefix: UInt8 = 0, over index: UInt32) {
        self.init(family)
        scope = family == .v4 ? .link : .universe
        self.destination = destination
        prefixLength = destination == nil ? 0 : prefix
        interface = index
    }
}

extension RouteSocket {
    /// Opens a routing socket in the current network namespace.
    static func open() throws(SandboxReply.Failure) -> RouteSocket {
        try SandboxStage.netlink.attempt { try RouteSocket() }
    }

    /// Brings an interface up.
    func bringUp(_ index: UInt32) throws(NetlinkError) {
        try request(InterfaceChange(isUp: true).message(for: index))
    }
}
