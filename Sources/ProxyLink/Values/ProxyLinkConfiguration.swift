package import LinkModel

/// What a ``ProxyLink`` is: its profile, its listeners and its bounds.
package struct ProxyLinkConfiguration: Sendable {
    /// A listener all of whose connections lead to one target.
    package struct ReverseListener: Sendable, Hashable {
        /// Where it listens; port 0 takes any free one.
        package var listen: Endpoint
        /// What clients believe to connect to; a name costs a lookup, and `routes` may lead it elsewhere.
        package var target: Endpoint

        package init(listen: Endpoint = .anyLoopbackPort, target: Endpoint) {
            self.listen = listen
            self.target = target
        }
    }

    /// What holds on the link, and how it changes.
    package var profile: Profile
    /// Decides everything that is random.
    package var seed: UInt64
    /// Plays these faults of packets in the place of chance; nil: chance decides.
    ///
    /// Its lines about the link as a whole and about the host are for others. Its own seed, if it has one, goes before
    /// ``seed``.
    package var schedule: FaultSchedule?
    /// Where the proxy (HTTP: CONNECT and absolute form; SOCKS 5) listens; nil: there is none.
    package var forward: Endpoint?
    package var reverse: [ReverseListener]
    /// Applies to targets of the forward proxy and, as overrides, to those of reverse listeners.
    package var routes: RouteTable
    /// What clients on other machines may reach at loopback, link-local and other addresses of this machine.
    ///
    /// A name stands for itself, an address for what is really connected to; port 0 stands for every port.
    package var allowed: Set<Endpoint>
    /// Who may use the listeners.
    package var access: ClientAccess
    /// nil: there is no control API.
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
}

extension ProxyLinkConfiguration {
    /// Whether a packet may meet a fault even where the link lets everything pass.
    var hasPacketFaults: Bool { schedule?.hasPacketFaults ?? false }
}

extension Endpoint {
    /// A free port of 127.0.0.1.
    package static let anyLoopbackPort = Endpoint(host: "127.0.0.1", port: 0)
}

/// Bounds on what clients can make a proxy spend.
package struct ProxyLimits: Sendable, Hashable {
    /// Connections at one time, 4096 by default; fewer where the process may not open two descriptors for each.
    package var connections = 4096
    /// Bytes of a request's head, 16 KiB by default.
    package var headBytes = 16 * 1024
    /// How long a client may take for a request's head, or for greeting and request of SOCKS, 10 s by default.
    package var headTime = Duration.seconds(10)
    /// How long a real connection to the target may take to come about, 10 s by default.
    package var dialTime = Duration.seconds(10)
    /// Events that wait for their reader, 65,536 by default; later ones are counted and not kept.
    package var events = 65_536
    /// Whether ``ProxyLink/events`` say what is delivered, up to a hundred times a second and direction of a connection; true by default.
    package var tellsDeliveries = true
    /// Decisions about packets that are kept for ``ProxyLink/record()``, as many as a list has by default; others are counted.
    package var decisions = FaultSchedule.mostLines

    /// Samples of what was delivered over time that ``ProxyLink/samples()`` has, 32,768 by default; beyond them it has fewer a second.
    package var samples = 32_768

    package init() {}

    /// Those of a link that stands for as long as its user likes, and whose record is not asked for.
    package static var standing: ProxyLimits {
        var limits = ProxyLimits()
        limits.events = 4096
        limits.tellsDeliveries = false
        limits.decisions = 0
        limits.samples = 64
        return limits
    }
}

/// Where a link leads: which of the targets that clients ask for are really connected to what.
package struct RouteTable: Sendable, Hashable {
    /// What happens with a target that has no route of its own.
    package enum Policy: Sendable, Hashable {
        /// The client is told that the target is not allowed.
        case refuse
        /// It is looked up and connected to as it is.
        case direct
    }

    /// From what clients ask for to what is connected.
    package var routes: [Endpoint: Endpoint]
    /// For all other targets; ``Policy/refuse`` by default.
    package var policy: Policy
    /// Addresses of names that no resolver is asked for, by ``Policy/direct``; names are in lower case, and there are none by
    /// default.
    package var addresses: [String: String] = [:]

    package init(
        routes: [Endpoint: Endpoint] = [:], policy: Policy = .refuse, addresses: [String: String] = [:]
    ) {
        self.addresses = addresses
        self.routes = routes
        self.policy = policy
    }

    /// What to connect for `target`; nil where it is not allowed.
    package func destination(for target: Endpoint) -> Endpoint? {
        if let route = routes[target] { return route }
        guard policy == .direct else { return nil }
        return addresses[target.host].map { Endpoint(host: $0, port: target.port) } ?? target
    }
}
