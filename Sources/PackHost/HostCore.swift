import NIOCore
import NIOHTTP1
import PackFormat
import Synchronization

/// What all connections of a host share.
final class HostCore: Sendable {
    let index: SiteIndex
    let limits: HostLimits
    let nonce: String
    /// Whether bodies must pass through handlers that want bytes, so that a file cannot be sent by the kernel alone.
    let isSecured: Bool
    /// The modification date of what is kept in memory.
    let started = HTTPDate.now()
    /// Where faults redirect to.
    let pages: PortalPages
    let moved: MovedPaths
    /// Other names of the host, by the names at which it is asked.
    let otherNames: [String: String]
    /// Whether a connection of a host with TLS may do without it, as one does to which a fault redirects.
    let allowsPlain: Bool
    private let faults: [HostFault]
    private let soldTags: Set<String>
    private let events: AsyncStream<HostEvent>.Continuation
    private let state = Mutex(State())

    private struct State {
        var statistics = HostStatistics()
        /// Requests for what a resource has, by its identifier.
        var tries: [String: Int] = [:]
        var open: [Int: any Channel] = [:]
        /// Other ports of the host, by the ports at which it is asked.
        var otherPorts: [Int: Int] = [:]
        var isClosing = false
    }

    /// Throws ``HostError`` for a site or a fault that makes no sense.
    init(
        _ configuration: HostConfiguration, events: AsyncStream<HostEvent>.Continuation
    ) throws(HostError) {
        index = try SiteIndex(configuration.site)
        for fault in configuration.faults {
            let security = configuration.security
            if let reason = fault.impossibility(
                overTLS: security != nil, offersHTTP2: security?.offersHTTP2 == true)
            {
                throw .impossibleFault(fault.text, reason: reason)
            }
        }
        limits = configuration.limits
        nonce = configuration.nonce
        isSecured = configuration.security != nil
        faults = configuration.faults
        pages = PortalPages(configuration.faults)
        moved = MovedPaths(configuration.faults, in: index)
        otherNames = configuration.otherNames
        allowsPlain = configuration.faults.contains { fault in
            if case .redirect(_, _, .plainHTTP?) = fault.action { true } else { false }
        }
        soldTags = configuration.soldTags
        self.events = events
        state.withLock { $0.otherPorts = configuration.otherPorts }
    }

    var statistics: HostStatistics { state.withLock { $0.statistics } }

    var otherPorts: [Int: Int] { state.withLock { $0.otherPorts } }

    /// Says that redirects from one port lead to another, and back.
    func lead(from port: Int, to other: Int) {
        state.withLock { ($0.otherPorts[port], $0.otherPorts[other]) = (other, port) }
    }

    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// What a response states now.
    var context: ResponseContext { ResponseContext(nonce: nonce, now: .now()) }

    /// Puts an event into the stream, stamped now.
    func report(_ kind: HostEvent.Kind, on connection: Int) {
        let now = Int64(NIODeadline.now().uptimeNanoseconds)
        events.yield(HostEvent(nanoseconds: now, connection: connection, kind: kind))
    }

    /// Counts a request for `resource`; returns which try it is and the faults that concern it.
    ///
    /// Both are exact: two requests at the same instant get different numbers. One that only asks about the resource
    /// (HEAD) is no try, and is met by no fault of one.
    func admit(_ resource: Resource, isTry: Bool) -> (number: Int, actions: [HostFault.Action]) {
        let number = state.withLock { state in
            state.statistics.packs[resource.identifier, default: .init()].requests += 1
            let tries = state.tries[resource.identifier, default: 0] + 1
            if isTry { state.tries[resource.identifier] = tries }
            return tries
        }
        return (number, faults(of: resource, isTry ? number : nil))
    }

    /// What is done to a try, or to a request that is none.
    private func faults(of resource: Resource, _ number: Int?) -> [HostFault.Action] {
        faults.filter { $0.concerns(resource, number: number ?? 1) && (number != nil || $0.tries == nil) }.map(\.action)
    }

    /// By how much the answer to the TLS handshake of a connection is late, and the faults that say so.
    func handshakeFaults(of connection: Int) -> [(delay: Duration, text: String)] {
        faults.filter { $0.tries?.contains(connection) ?? true }.compactMap { fault in
            guard case .slowTLS(let delay) = fault.action else { return nil }
            return (delay, fault.action.text)
        }
    }

    /// Whether a resource is sold, and who asks does not show that he has bought it; see ``PurchaseReceipt``.
    func isLocked(_ resource: Resource, _ fields: HTTPHeaders) -> Bool {
        guard case .file(let pack) = resource.content else { return false }
        let sold = soldTags.intersection(pack.tags)
        return !sold.isEmpty
            && sold.map(PurchaseReceipt.value(for:)).allSatisfy {
                !fields[PurchaseReceipt.field].contains($0)
            }
    }

    /// Counts bytes of a body that were handed to the kernel.
    func count(_ bytes: Int, of resource: String) {
        state.withLock { $0.statistics.packs[resource, default: .init()].bytes += Int64(bytes) }
    }
}

extension HostCore {
    /// Registers a connection and returns its number; nil where the host is closing and the connection must not begin.
    func open(_ channel: any Channel) -> Int? {
        state.withLock { state in
            guard !state.isClosing else { return nil }
            state.statistics.connections += 1
            state.statistics.openConnections += 1
            state.open[state.statistics.connections] = channel
            return state.statistics.connections
        }
    }

    /// Forgets a connection that is gone.
    func forget(_ connection: Int) {
        state.withLock { state in
            guard state.open.removeValue(forKey: connection) != nil else { return }
            state.statistics.openConnections -= 1
        }
    }

    /// From here on no connection can begin, and what ends was ended by the host.
    func beginClosing() { state.withLock { $0.isClosing = true } }

    /// Closes every connection without ceremony, and waits until they are gone.
    ///
    /// No further one can begin.
    func closeAll() async {
        beginClosing()
        let channels = state.withLock { Array($0.open.values) }
        for channel in channels { channel.triggerUserOutboundEvent(SocketEnd.HostCloses(), promise: nil) }
        // A connection that failed to close cleanly is closed all the same.
        for channel in channels { try? await channel.closeFuture.get() }
        events.finish()
    }
}

/// A site by its paths.
///
/// What is not listed is not there: no path is ever looked up in a file system.
struct SiteIndex: Sendable {
    private let resources: [[UInt8]: Resource]
    /// All that is listed, with its path.
    let places: [MovedPaths.Place]

    /// Throws ``HostError`` where two paths are one, or one is no path.
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

    /// What lies at exactly this path, its escapes decoded.
    subscript(path: [UInt8]) -> Resource? { resources[path] }
}

/// What a host has done so far.
package struct HostStatistics: Hashable, Sendable {
    /// Connections that were accepted.
    package internal(set) var connections = 0
    /// Connections that are open.
    package internal(set) var openConnections = 0
    /// What went out per pack identifier, `manifest` and `tag-table`.
    package internal(set) var packs: [String: Pack] = [:]

    /// What went out of one pack.
    package struct Pack: Hashable, Sendable {
        /// Requests, GET and HEAD.
        package internal(set) var requests = 0
        /// Bytes of bodies that were handed to the kernel.
        package internal(set) var bytes: Int64 = 0
    }

    /// Nothing yet.
    package init() {}
}
