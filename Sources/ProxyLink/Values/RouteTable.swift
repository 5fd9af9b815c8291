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

    package init(routes: [Endpoint: Endpoint] = [:], policy: Policy = .refuse) {
        self.routes = routes
        self.policy = policy
    }

    /// What to connect for `target`; nil where it is not allowed.
    package func destination(for target: Endpoint) -> Endpoint? {
        if let route = routes[target] { return route }
        return policy == .direct ? target : nil
    }
}
