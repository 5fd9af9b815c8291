import Netlink
import Synchronization
import SystemPackage

/// Gives the client of a sandbox its routes, or takes them away.
///
/// A link without a carrier has no routes either, but the kernel needs up to a second to notice that. Packets sent
/// meanwhile may be lost without an error.
package final class ClientRoutes: Sendable {
    private let socket: Mutex<RouteSocket>

    init(_ descriptor: FileDescriptor) throws(NetlinkError) {
        socket = Mutex(try RouteSocket(adopting: descriptor))
    }

    /// From now on the client has its routes, or its sends fail at once with ENETUNREACH.
    ///
    /// Its own addresses stay reachable. A kernel without rules for routes is left unchanged.
    package func set(hasRoute: Bool) {
        let rules = InternetFamily.allCases.map { RoutingRule($0, .unreachable, priority: Self.priority) }
        socket.withLock { socket in
            for rule in rules { try? socket.request(hasRoute ? rule.removal : rule.addition) }
        }
    }

    /// The rule's priority: after the table of its own addresses, which has 0, and before all others.
    private static let priority: UInt32 = 1
}

extension Sandbox {
    /// The routes of the client's network, which can be switched on and off.
    package func clientRoutes() async throws -> ClientRoutes {
        try await ClientRoutes(routeSocket(on: .client))
    }
}
