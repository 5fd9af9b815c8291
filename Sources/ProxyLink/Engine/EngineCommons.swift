internal import Glibc
internal import LinuxSupport
internal import NIOCore

/// What the engines of one event loop share: connection numbers, bounds, events, and forbidden addresses.
final class EngineCommons {
    let feed: EventFeed
    let mostConnections: Int
    var openConnections = 0
    /// The number of the last connection of all engines.
    var lastConnection = 0
    /// Where APIs listen; the proxy connects no client to these addresses.
    var apis: [Endpoint] = []
    var apiListeners: [any Channel] = []
    /// The proxy's own pages; nil if there are none.
    var page: ProxyPage?
    /// Moves bytes that no code must see; nil if the process cannot open a pipe.
    private(set) lazy var splicePipe = SplicePipe()
    /// Bytes that wait in toxics.
    var heldBytes = 0

    /// The bytes that may wait in toxics before each pipe may hold only little: 256 MiB.
    private static let mostHeldBytes = 256 * 1024 * 1024

    init(_ limits: ProxyLimits) {
        feed = EventFeed(limit: limits.events, tellsDeliveries: limits.tellsDeliveries)
        mostConnections = min(limits.connections, DescriptorLimit.pairs)
    }

    /// Whether toxics hold so much together that each pipe may hold only little.
    var isScarce: Bool { heldBytes > Self.mostHeldBytes }
}

/// The number of connections for which this process may open descriptors.
package enum DescriptorLimit {
    /// Descriptors that are kept for everything else that the process opens.
    private static let reserve = 64

    /// The most connections, at two sockets each (getrlimit(2): RLIMIT_NOFILE); 1 at least.
    package static var pairs: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1 }
        return max(1, (Int(clamping: limit.rlim_cur) - reserve) / 2)
    }
}
