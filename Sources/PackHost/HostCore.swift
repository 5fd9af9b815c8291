import NIOCore
import NIOHTTP1
import PackFormat
import Synchronization

/// The state that all connections of a host share.
final class HostCore: Sendable {
    let configuration: HostConfiguration
    let index: SiteIndex
    /// The modification date of content that is kept in memory.
    let started = HTTPDate.now()
    /// The texts of the pages that faults redirect to, by their paths.
    let pages: [String: String]
    let moved: MovedPaths
    private let events: AsyncStream<HostEvent>.Continuation
    private let state = Mutex(State())

    /// A range of a resource, by its first byte.
    private struct RequestedRange: Hashable {
        var resource: String
        var start: Int64
    }

    private struct State {
        var statistics = HostStatistics()
        /// The number of GET requests for each resource, by its identifier.
        var tries: [String: Int] = [:]
        /// The number of GET requests for each range that a fault names.
        var triesOfRanges: [RequestedRange: Int] = [:]
        var open: [Int: any Channel] = [:] { didSet { statistics.openConnections = open.count } }
        /// Other ports of the host, by the ports that clients use.
        var otherPorts: [Int: Int] = [:]
        var isClosing = false
    }

    /// Throws ``HostError`` for an invalid site or an impossible fault.
    init(
        _ configuration: HostConfiguration, events: AsyncStream<HostEvent>.Continuation
    ) throws(HostError) {
        self.configuration = configuration
        index = try SiteIndex(configuration.site)
        for fault in configuration.faults {
            let security = configuration.security
            if let reason = fault.impossibility(
                overTLS: security != nil, offersHTTP2: security?.offersHTTP2 == true)
            {
                throw .impossibleFault(fault.text, reason: reason)
            }
        }
        pages = PortalPages.texts(configuration.faults)
        moved = MovedPaths(configuration.faults, in: index)
        self.events = events
        state.withLock { $0.otherPorts = configuration.otherPorts }
    }

    var limits: HostLimits { configuration.limits }

    /// Whether bodies must pass through handlers that need their bytes, so that the kernel alone cannot send a file.
    var isSecured: Bool { configuration.security != nil }

    /// Whether a host with TLS also accepts connections without it, because a fault redirects to plain HTTP.
    var allowsPlain: Bool {
        configuration.faults.contains { if case .redirect(_, _, .plainHTTP?) = $0.action { true } else { false } }
    }

    var statistics: HostStatistics { state.withLock { $0.statistics } }

    var otherPorts: [Int: Int] { state.withLock { $0.otherPorts } }

    /// Makes redirects from one port lead to another, and back.
    func lead(from port: Int, to other: Int) {
        state.withLock { ($0.otherPorts[port], $0.otherPorts[other]) = (other, port) }
    }

    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// What a response states at this moment.
    var context: ResponseContext { ResponseContext(nonce: configuration.nonce, now: .now()) }

    /// Puts an event into the stream, with the current time.
    func report(_ kind: HostEvent.Kind, on connection: Int) {
        let now = Int64(NIODeadline.now().uptimeNanoseconds)
        events.yield(HostEvent(nanoseconds: now, connection: connection, kind: kind))
    }

    /// Counts a request for `resource`, or for a range of it from byte `start` on; returns the number of its try, and
    /// the faults that concern it.
    ///
    /// Both are exact: two requests at the same instant get different numbers. A request that only asks about the
    /// resource (HEAD) is no try, and meets no fault that is limited to tries.
    func admit(_ resource: Resource, isTry: Bool, from start: Int64?) -> (number: Int, actions: [HostFault.Action]) {
        let concerning = configuration.faults.filter {
            $0.concerns(resource) && ($0.rangeStart == nil || $0.rangeStart == start)
        }
        let (number, numberOfRange) = state.withLock { state in
            state.statistics.packs[resource.identifier, default: .init()].requests += 1
            let tries = state.tries[resource.identifier, default: 0] + 1
            guard isTry else { return (tries, 0) }
            state.tries[resource.identifier] = tries
            // Only these ranges are counted, so that a client cannot fill the memory with others.
            guard let start, concerning.contains(where: { $0.rangeStart != nil }) else { return (tries, 0) }
            let range = RequestedRange(resource: resource.identifier, start: start)
            state.triesOfRanges[range, default: 0] += 1
            return (tries, state.triesOfRanges[range] ?? 0)
        }
        let met = concerning.filter { fault in
            fault.tries.map { isTry && $0.contains(fault.rangeStart == nil ? number : numberOfRange) } ?? true
        }
        return (number, met.map(\.action))
    }

    /// The delays of the answer to a connection's TLS handshake, each with the text of its fault.
    func handshakeFaults(of connection: Int) -> [(delay: Duration, text: String)] {
        configuration.faults.filter { $0.tries?.contains(connection) ?? true }.compactMap { fault in
            guard case .slowTLS(let delay) = fault.action else { return nil }
            return (delay, fault.action.text)
        }
    }

    /// Whether a resource is sold, and the request does not show that it was bought; see ``PurchaseReceipt``.
    func isLocked(_ resource: Resource, _ fields: HTTPHeaders) -> Bool {
        guard case .file(let pack) = resource.content else { return false }
        let sold = configuration.soldTags.intersection(pack.tags)
        return !sold.isEmpty
            && sold.map(PurchaseReceipt.value(for:)).allSatisfy {
                !fields[PurchaseReceipt.field].contains($0)
            }
    }

    /// Counts bytes of a body that were handed to the kernel.
    func count(_ bytes: Int, of resource: String) {
        state.withLock { $0.statistics.packs[resource, default: .init()].bytes += Int64(bytes) }
    }

    /// Registers a connection and returns its number; nil if the host is closing and no connection may begin.
    func open(_ channel: any Channel) -> Int? {
        state.withLock { state in
            guard !state.isClosing else { return nil }
            state.statistics.connections += 1
            state.open[state.statistics.connections] = channel
            return state.statistics.connections
        }
    }

    /// Removes a connection that has ended.
    func forget(_ connection: Int) {
        state.withLock { _ = $0.open.removeValue(forKey: connection) }
    }

    /// From now on, no connection can begin, and the host counts as the cause of every end.
    func beginClosing() { state.withLock { $0.isClosing = true } }

    /// Closes every connection at once, and waits until they have ended.
    ///
    /// No new connection can begin.
    func closeAll() async {
        beginClosing()
        let channels = state.withLock { Array($0.open.values) }
        for channel in channels { channel.triggerUserOutboundEvent(SocketEnd.HostCloses(), promise: nil) }
        // A connection that did not close cleanly is closed all the same.
        for channel in channels { try? await channel.closeFuture.get() }
        events.finish()
    }
}

/// The resources of a site by their paths.
///
/// Only listed paths exist: no path is ever looked up in a file system.
struct SiteIndex: Sendable {
    private let resources: [[UInt8]: Resource]
    /// All listed resources, with their paths.
    let places: [MovedPaths.Place]

    /// Throws ``HostError`` if two paths are the same, or if one is no path.
    init(_ site: Site) throws(HostError) {
        var listed = [(site.manifestPath, Resource("manifest", name: Site.manifestName, list: site.manifest))]
        if let table = site.tagTable {
            listed.append((site.tagTablePath, Resource("tag-table", name: Site.tagTableName, list: table)))
        }
        listed += site.packs.map { ($0.path, Resource($0)) }
        var resources: [[UInt8]: Resource] = [:]
        for (path, resource) in listed {
            guard path.hasPrefix("/"), let decoded = RequestTarget.decoded(path) else {
                throw .malformedPath(path)
            }
            guard resources.updateValue(resource, forKey: decoded) == nil else { throw .duplicatePath(path) }
        }
        self.resources = resources
        places = listed.map { MovedPaths.Place(resource: $0.1, path: $0.0) }
    }

    /// The resource at exactly this path, whose escapes are decoded.
    subscript(path: [UInt8]) -> Resource? { resources[path] }
}

/// What a host has done so far.
package struct HostStatistics: Hashable, Sendable {
    /// Connections that were accepted.
    package internal(set) var connections = 0
    /// Connections that are open.
    package internal(set) var openConnections = 0
    /// What was sent, by pack identifier, `manifest` or `tag-table`.
    package internal(set) var packs: [String: Pack] = [:]

    /// What was sent of one pack.
    package struct Pack: Hashable, Sendable {
        /// Requests, GET and HEAD.
        package internal(set) var requests = 0
        /// Bytes of bodies that were handed to the kernel.
        package internal(set) var bytes: Int64 = 0
    }
}
