import CLinux
import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// The three networks of a sandbox.
struct Network {
    /// The IPv4 address of the client's end of the link; `hostIPv4` is the host's.
    ///
    /// See docs/explanation/sandboxes.md.
    static let clientIPv4: [UInt8] = [10, 77, 0, 2]
    static let hostIPv4: [UInt8] = [10, 77, 1, 2]

    /// An unused address in the host's network.
    static let silentIPv4: [UInt8] = [10, 77, 1, 6]

    /// The address that names resolve to; nil for none.
    static func address(_ kind: SandboxNameAddress, host: [UInt8], silent: [UInt8]) -> [UInt8]? {
        switch kind {
        case .none: nil
        case .host: host
        case .silent: silent
        }
    }

    /// Descriptors of the namespaces.
    let namespaces: [SandboxNamespace: FileDescriptor]
    /// The link's descriptors for the harness: the client's TUN or tap, then the host's.
    let ends: [FileDescriptor]
    let resolver: ResolverSockets

    /// Makes the networks; the caller is in the router's namespace before and afterwards.
    init(_ configuration: SandboxRequest.Configure, notes: inout [SandboxNote]) throws(SandboxReply.Failure) {
        let addresses = IPv6Addresses(configuration)
        let router = try RouteSocket.open()
        try router.bringUpLoopback(configuration)
        let routerNamespace = try router.namespace()

        let client = try Self.unshare()
        let clientEnd = try Self.makeEnd(
            of: client, ipv4: Self.clientIPv4, ipv6: addresses.client, to: (routerNamespace, SandboxRouter.toClient),
            configuration, notes: &notes)

        let host = try Self.unshare()
        let hostEnd = try Self.makeEnd(
            of: host, ipv4: Self.hostIPv4, ipv6: addresses.host, to: (routerNamespace, SandboxRouter.toHost),
            configuration, notes: &notes)
        if configuration.ipv4Names == .silent { try Self.swallow(Self.silentIPv4, .v4, by: host) }
        let hasIPv6 = !notes.contains { $0.kind == .noIPv6 }
        if configuration.ipv6Names == .silent, hasIPv6 { try Self.swallow(addresses.silent, .v6, by: host) }
        resolver = try ResolverSockets(ipv6: hasIPv6 ? addresses.host : nil)

        namespaces = [.router: routerNamespace, .client: try client.namespace(), .host: try host.namespace()]
        try Self.enter(routerNamespace, .router)
        if let clientEnd, let hostEnd {
            ends = [clientEnd, hostEnd]
        } else {
            ends = try Router(router).make(configuration)
        }
    }

    /// Moves this process to a namespace.
    func enter(_ namespace: SandboxNamespace) throws(SandboxReply.Failure) {
        guard let descriptor = namespaces[namespace] else { preconditionFailure("there are three namespaces") }
        try Self.enter(descriptor, namespace)
    }

    private static func enter(
        _ descriptor: FileDescriptor, _ namespace: SandboxNamespace
    ) throws(SandboxReply.Failure) {
        guard headwind_enter_network(descriptor.rawValue) == 0 else {
            throw .init(.enterNetwork, Errno(rawValue: errno), detail: namespace.rawValue)
        }
    }

    /// Runs `body` in a namespace, and returns to the router's.
    func inside<Value>(
        _ namespace: SandboxNamespace, _ body: () throws(SandboxReply.Failure) -> Value
    ) throws(SandboxReply.Failure) -> Value {
        try enter(namespace)
        let result: Result<Value, SandboxReply.Failure>
        do {
            result = .success(try body())
        } catch {
            result = .failure(error)
        }
        try enter(.router)
        return try result.get()
    }

    /// Moves this process to a new namespace; returns a routing socket there.
    private static func unshare() throws(SandboxReply.Failure) -> RouteSocket {
        guard headwind_unshare_network() == 0 else { throw .init(.network, Errno(rawValue: errno)) }
        return try RouteSocket.open()
    }

    /// Drops packets for an address without an error, also on a machine that forwards packets.
    private static func swallow(
        _ address: [UInt8], _ family: InternetFamily, by socket: borrowing RouteSocket
    ) throws(SandboxReply.Failure) {
        var route = Route(family)
        route.kind = .blackhole
        (route.destination, route.prefixLength) = (address, UInt8(address.count * 8))
        try SandboxStage.route.attempt("to nowhere") { try socket.request(route.addition) }
    }

    /// Makes one end of the link in the current namespace; returns its TUN, if it has one.
    private static func makeEnd(
        of socket: borrowing RouteSocket, ipv4: [UInt8], ipv6: [UInt8],
        to router: (namespace: FileDescriptor, name: String), _ configuration: SandboxRequest.Configure,
        notes: inout [SandboxNote]
    ) throws(SandboxReply.Failure) -> FileDescriptor? {
        try socket.bringUpLoopback(configuration)
        let interface: Interface
        var tun: FileDescriptor?
        switch configuration.link ?? .packets {
        case .packets: (interface, tun) = try Interface.tun()
        case .router: interface = try Interface.cable(to: router.name, in: router.namespace, by: socket)
        }
        for setting in Setting.all(configuration) {
            if let error = setting.apply() {
                notes.addOnce(SandboxNote(.setting, setting.path, code: error.rawValue))
            }
        }
        if let error = try interface.configure(by: socket, ipv4: ipv4, ipv6: ipv6, configuration) {
            let reason =
                configuration.mtu < 1280
                ? "its MTU is \(configuration.mtu), and IPv6 needs 1280" : "the kernel has none"
            notes.addOnce(SandboxNote(.noIPv6, reason, code: error.rawValue))
        }
        return tun
    }
}

extension RouteSocket {
    /// Brings up the loopback interface, without its IPv4 address if loopback addresses lead to this machine.
    fileprivate func bringUpLoopback(_ configuration: SandboxRequest.Configure) throws(SandboxReply.Failure) {
        try SandboxStage.link.attempt("lo") {
            try bringUp(1)
            guard configuration.outside?.leadsLoopback == true else { return }
            // Without the address the kernel also removes the routes that make all of 127.0.0.0/8 local.
            try request(InterfaceAddress(.v4, [127, 0, 0, 1], prefixLength: 8).removal(from: 1))
        }
    }

    fileprivate func namespace() throws(SandboxReply.Failure) -> FileDescriptor {
        let namespace = headwind_network_of(descriptor.rawValue)
        guard namespace >= 0 else { throw .init(.network, Errno(rawValue: errno)) }
        return FileDescriptor(rawValue: namespace)
    }
}

extension [SandboxNote] {
    mutating func addOnce(_ note: SandboxNote) {
        if !contains(note) { append(note) }
    }
}

/// The IPv6 addresses of a sandbox; network 0 is the client's, network 1 the host's.
struct IPv6Addresses {
    private let prefix: [UInt8]

    init(_ configuration: SandboxRequest.Configure) {
        // Clients prefer global IPv6 addresses to IPv4, but not all prefer local ones (RFC 6724 section 10.6). So these
        // are addresses for documentation (RFC 3849). With a route outside they are local (RFC 4193): clients then
        // reach the outside by IPv4, which every machine has.
        prefix = configuration.outside == nil ? [0x20, 0x01, 0x0d, 0xb8, 0, 0x77, 0] : [0xfd, 0x77, 0]
    }

    var client: [UInt8] { self[0, 2] }
    var host: [UInt8] { self[1, 2] }
    /// An unused address in the host's network.
    var silent: [UInt8] { self[1, 6] }

    /// The address with a number in a network.
    subscript(network: UInt8, number: UInt8) -> [UInt8] {
        prefix + [network] + [UInt8](repeating: 0, count: 14 - prefix.count) + [number]
    }
}
