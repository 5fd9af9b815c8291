package import LinkModel

/// What a ``ProxyLink`` is: its profile, its doors and its bounds.
package struct ProxyLinkConfiguration: Sendable {
    /// A listener all of whose connections lead to one target.
    package struct ReverseDoor: Sendable, Hashable {
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
    package var reverse: [ReverseDoor]
    /// Applies to targets of the forward door and, as overrides, to those of reverse doors.
    package var routes: RouteTable
    /// What clients on other machines may reach at loopback, link-local and other addresses of this machine.
    ///
    /// A name stands for itself, an address for what is really connected to; port 0 stands for every port.
    package var allowed: Set<Endpoint>
    /// nil: there is no control API.
    package var control: ControlConfiguration?
    package var limits: ProxyLimits

    package init(
        profile: Profile,
        seed: UInt64 = 0,
        schedule: FaultSchedule? = nil,
        forward: Endpoint? = .anyLoopbackPort,
        reverse: [ReverseDoor] = [],
        routes: RouteTable = RouteTable(),
        allowed: Set<Endpoint> = [],
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
