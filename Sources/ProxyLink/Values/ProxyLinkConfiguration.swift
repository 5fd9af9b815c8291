package import LinkModel

/// The configuration of a ``ProxyLink``: its profile, listeners and bounds.
package struct ProxyLinkConfiguration: Sendable {
    /// A listener whose connections all lead to one target.
    package struct ReverseListener: Sendable, Hashable {
        /// Where it listens (default: a free port of 127.0.0.1); port 0 takes any free port.
        package var listen: Endpoint
        /// The target that clients reach, unless `routes` has another one for it; a name costs a modelled lookup.
        package var target: Endpoint

        package init(listen: Endpoint = .anyLoopbackPort, target: Endpoint) {
            self.listen = listen
            self.target = target
        }
    }

    /// The conditions of the link, and how they change.
    package var profile: Profile
    /// The seed of all random decisions, such as which packets are lost (default: 0).
    package var seed: UInt64
    /// Faults of packets that are played instead of random ones; nil, the default: faults are random.
    ///
    /// Its lines about the link as a whole and about the host are ignored here. Its own seed, if it has one, replaces
    /// ``seed``.
    package var schedule: FaultSchedule?
    /// Where the proxy (HTTP: CONNECT and absolute form; SOCKS 5) listens, by default at a free port of 127.0.0.1.
    ///
    /// nil: there is no such proxy.
    package var forward: Endpoint?
    package var reverse: [ReverseListener]
    /// Applies to targets of the forward proxy and, as overrides, to those of reverse listeners.
    package var routes: RouteTable
    /// The targets at loopback, link-local and other addresses of this machine that clients elsewhere may reach.
    ///
    /// A name is compared with the client's target, an address with the address that is really connected; `localhost`
    /// also matches loopback addresses. Port 0 stands for every port. Default: none.
    package var allowed: Set<Endpoint>
    /// Which clients may use the listeners (default: all).
    package var access: ClientAccess
    /// The control API; nil, the default: there is none.
    package var control: ControlConfiguration?
    package var limits: ProxyLimits

    package init(
        profile: Profile,
        seed: UInt64 = 0,
        schedule: FaultSchedule? = nil,
        forward: Endpoint? = .anyLoopbackPort,
        reverse: [ReverseListener] = [],
        routes: RouteTable = RouteTable(),
        allowed: Set<Endpoint> = [],
        access: ClientAccess = ClientAccess(),
        control: ControlConfiguration? = nil,
        limits: ProxyLimits = ProxyLimits()
    ) {
        self.profile = profile
        self.seed = seed
        self.schedule = schedule
        self.forward = forward
        self.reverse = reverse
        self.routes = routes
        self.allowed = allowed
        self.access = access
        self.control = control
        self.limits = limits
    }

    /// Whether the schedule has faults of packets, which can happen even on an unshaped link.
    var hasPacketFaults: Bool { schedule?.hasPacketFaults ?? false }
}

extension Endpoint {
    /// A free port of 127.0.0.1.
    package static let anyLoopbackPort = Endpoint(host: "127.0.0.1", port: 0)
}

/// Bounds on the resources that clients can make a proxy use.
package struct ProxyLimits: Sendable, Hashable {
    /// The most connections at one time, 4096 by default; fewer if the process may not open two descriptors for each.
    package var connections = 4096
    /// The most bytes of a request's head, 16 KiB by default.
    package var headBytes = 16 * 1024
    /// How long a client may take to send a request's head, or greeting and request of SOCKS, 10 s by default.
    package var headTime = Duration.seconds(10)
    /// How long connecting to the real target may take, 10 s by default.
    package var dialTime = Duration.seconds(10)
    /// The most events that wait for their reader, 65,536 by default; later ones are counted and not kept.
    package var events = 65_536
    /// Whether ``ProxyLink/events`` include deliveries; true by default.
    ///
    /// There are up to 100 of them a second for each direction of a connection.
    package var tellsDeliveries = true
    /// The most decisions about packets that ``ProxyLink/record()`` has, 200,000 by default.
    ///
    /// Later ones are only counted.
    package var decisions = FaultSchedule.mostLines

    /// The most samples that ``ProxyLink/samples()`` has, 32,768 by default; beyond them it has fewer per second.
    package var samples = 32_768

    package init() {}

    /// The limits of a standing link, which stays up for an unlimited time and needs no record.
    package static var standing: ProxyLimits {
        var limits = ProxyLimits()
        limits.events = 4096
        limits.tellsDeliveries = false
        limits.decisions = 0
        limits.samples = 64
        return limits
    }
}

/// The routes of a link: the real targets of those that clients ask for.
package struct RouteTable: Sendable, Hashable {
    /// What happens to a target without a route of its own.
    package enum Policy: Sendable, Hashable {
        /// The client gets an answer that the target is not allowed.
        case refuse
        /// The target is resolved and connected unchanged.
        case direct
    }

    /// The target to connect, by the target that clients ask for.
    package var routes: [Endpoint: Endpoint]
    /// The policy for all other targets; ``Policy/refuse`` by default.
    package var policy: Policy
    /// Addresses of names that ``Policy/direct`` does not resolve, by the name in lower case; none by default.
    package var addresses: [String: String] = [:]

    package init(
        routes: [Endpoint: Endpoint] = [:], policy: Policy = .refuse, addresses: [String: String] = [:]
    ) {
        self.addresses = addresses
        self.routes = routes
        self.policy = policy
    }

    /// The target to connect for `target`; nil if it is not allowed.
    package func destination(for target: Endpoint) -> Endpoint? {
        if let route = routes[target] { return route }
        guard policy == .direct else { return nil }
        return addresses[target.host].map { Endpoint(host: $0, port: target.port) } ?? target
    }
}
