internal import LinuxSupport
internal import NIOCore

/// What the engines of one event loop share: numbers for connections, bounds, events, and where no target leads.
final class EngineCommons {
    let feed: EventFeed
    let mostConnections: Int
    var openConnections = 0
    /// The number of the last connection, over all engines.
    var lastConnection = 0
    /// Where APIs listen, to which no target leads.
    var apis: [Endpoint] = []
    var apiListeners: [any Channel] = []
    /// The proxy's own pages; nil where there are none.
    var page: ProxyPage?
    /// Moves bytes that need no look; nil where the process may not open a pipe.
    private(set) lazy var splicePipe = SplicePipe()
    /// Bytes that wait in toxics.
    var heldBytes = 0

    /// Bytes that may wait in toxics before all pipes are kept short: 256 MiB.
    private static let mostHeldBytes = 256 * 1024 * 1024

    init(_ limits: ProxyLimits) {
        feed = EventFeed(limit: limits.events, tellsDeliveries: limits.tellsDeliveries)
        mostConnections = min(limits.connections, DescriptorLimit.pairs)
    }

    /// Whether toxics hold so much that each of them is to hold little.
    var isScarce: Bool { heldBytes > Self.mostHeldBytes }
}
