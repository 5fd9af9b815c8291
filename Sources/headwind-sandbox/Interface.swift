import CLinux
import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// An interface of one end of the link, or of an intercept.
struct Interface {
    /// The link's name is the same in both ends, which never meet.
    static let name = "link0"

    let index: UInt32
    /// Whether it is one end of a cable.
    private let isCable: Bool

    /// Makes a TUN in the current network namespace; answers too what its packets are read from and written to.
    static func tun(_ name: String = Self.name) throws(SandboxReply.Failure) -> (Interface, FileDescriptor) {
        let tun: FileDescriptor
        do {
            tun = unsafe try FileDescriptor.open("/dev/net/tun", .readWrite, options: [.nonBlocking, .closeOnExec])
        } catch {
            throw .init(.tunOpen, error as? Errno ?? .ioError, detail: "/dev/net/tun")
        }
        guard unsafe headwind_tun_attach(tun.rawValue, name) == 0 else {
            let error = Errno(rawValue: errno)
            try? tun.close()
            throw .init(.tunAttach, error, detail: name)
        }
        return (Interface(index: unsafe if_nametoindex(name), isCable: false), tun)
    }

    /// Makes a cable from the current network namespace to the router's, where its other end is called `far`.
    static func cable(
        to far: String, in router: FileDescriptor, by socket: borrowing RouteSocket
    ) throws(SandboxReply.Failure) -> Interface {
        do {
            let message = VirtualInterface.pair(
                try InterfaceName(Self.name), try InterfaceName(far), peerNamespace: router)
            try socket.request(message)
        } catch {
            throw .init(.cable, (error as? NetlinkError)?.code ?? .invalidArgument, detail: far)
        }
        return Interface(index: unsafe if_nametoindex(Self.name), isCable: true)
    }

    /// Gives it its addresses, brings it up, and makes it the way to everywhere.
    ///
    /// Answers whether it has IPv6, or why not.
    func configure(
        by socket: borrowing RouteSocket, ipv4: [UInt8], ipv6: [UInt8], _ configuration: SandboxRequest.Configure
    ) throws(SandboxReply.Failure) -> Errno? {
        do {
            try Self.prepare(index, by: socket, mtu: configuration.mtu, queueLength: configuration.queueLength)
            if isCable { try Cable.prepare(index, by: socket) }
        } catch {
            throw .init(.link, error.code, detail: "mtu \(configuration.mtu)")
        }
        try add(InterfaceAddress(.v4, ipv4, prefixLength: 30), by: socket)
        var missing: Errno?
        do {
            try add(InterfaceAddress(.v6, ipv6, prefixLength: 64), by: socket)
        } catch {
            // EAFNOSUPPORT, EOPNOTSUPP: a kernel without it. EINVAL, EACCES: no IPv6 on an interface of a small MTU.
            missing = error.error
        }
        try up(by: socket)
        try Self.addRoute(over: index, from: ipv4, family: .v4, by: socket, configuration)
        if missing == nil {
            try Self.addRoute(over: index, from: ipv6, family: .v6, by: socket, configuration)
        }
        return missing
    }

    /// What must be before an interface is up: with an address of its own making the kernel would send packets of its own.
    static func prepare(
        _ index: UInt32, by socket: borrowing RouteSocket, mtu: Int?, queueLength: Int
    ) throws(NetlinkError) {
        let change = InterfaceChange(mtu: mtu.map(UInt32.init), queueLength: UInt32(queueLength))
        try socket.request(change.message(for: index))
        // Not possible without IPv6, and then not needed.
        try? socket.request(InterfaceChange(makesAddresses: false).message(for: index))
    }

    private func up(by socket: borrowing RouteSocket) throws(SandboxReply.Failure) {
        do {
            try socket.bringUp(index)
        } catch {
            throw .init(.link, error.code, detail: Self.name)
        }
        // What leaves by a cable is at its other end at once.
        if isCable { return }
        // Packets in order and none early, whatever net.core.default_qdisc says: a pacing or a dropping queue would be a
        // second link. A kernel without queues has none in the way either.
        let queue = TrafficQueue(.packetFIFO(packets: nil))
        try? socket.request(queue.message(.replace, on: NetworkInterface(index: index, name: Self.name)))
    }

    private func add(_ address: InterfaceAddress, by socket: borrowing RouteSocket) throws(SandboxReply.Failure) {
        var address = address
        address.looksForDoubles = false
        // The one route below leads to the neighbours too, so that its metrics hold for all.
        address.hasPrefixRoute = false
        do {
            try socket.request(address.addition(to: index))
        } catch {
            throw .init(.address, error.code, detail: address.family == .v4 ? "IPv4" : "IPv6")
        }
    }

    /// A route with the senders' settings; to everywhere, where no address is given.
    static func addRoute(
        to destination: [UInt8]? = nil, prefix: UInt8 = 0, over index: UInt32, from address: [UInt8],
        family: InternetFamily, by socket: borrowing RouteSocket, _ configuration: SandboxRequest.Configure
    ) throws(SandboxReply.Failure) {
        var route = Route(family)
        route.scope = family == .v4 ? .link : .universe
        route.destination = destination
        route.prefixLength = prefix
        route.interface = index
        route.source = address
        route.metrics = Route.Metrics(
            congestionControl: configuration.congestionControl, initialWindow: UInt32(configuration.initialWindow))
        do {
            try socket.request(route.addition)
        } catch {
            throw .init(.route, error.code, detail: configuration.congestionControl)
        }
    }
}

extension RouteSocket {
    /// Opens one in the current network namespace.
    static func open() throws(SandboxReply.Failure) -> RouteSocket {
        do {
            return try RouteSocket()
        } catch {
            throw .init(.netlink, error.code)
        }
    }

    /// Brings an interface up.
    func bringUp(_ index: UInt32) throws(NetlinkError) {
        try request(InterfaceChange(isUp: true).message(for: index))
    }
}
