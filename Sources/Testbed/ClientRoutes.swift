import Netlink
import Synchronization
import SystemPackage

/// Whether the client of a sandbox has a way to anywhere.
///
/// A link that loses its carrier leads nowhere either, but the kernel needs up to a second to take note of that, and in
/// between what is sent may be lost without a word.
package final class ClientRoutes: Sendable {
    private let socket: Mutex<RouteSocket>

    init(_ descriptor: FileDescriptor) throws(NetlinkError) {
        socket = Mutex(try RouteSocket(adopting: descriptor))
    }

    /// Has whatever the client sends from now on find its way, or fail at once with ENETUNREACH.
    ///
    /// Addresses of its own stay within reach. A kernel without rules for routes is left unchanged.
    package func set(hasRoute: Bool) {
        let rules = InternetFamily.allCases.map { RoutingRule($0, .unreachable, priority: Self.priority) }
        socket.withLock { socket in
            for rule in rules { try? socket.request(hasRoute ? rule.removal : rule.addition) }
        }
    }

    /// Behind the table of its own addresses, which has 0, and before everything else.
    private static let priority: UInt32 = 1
}

extension Sandbox {
    /// What the client's network is told when it has a way to anywhere, or none any more.
    package func clientRoutes() async throws -> ClientRoutes {
        try await ClientRoutes(routeSocket(on: .client))
    }
}
