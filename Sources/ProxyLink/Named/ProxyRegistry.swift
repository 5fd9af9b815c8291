internal import LinkModel
internal import NIOCore

/// The named proxies of a ``ProxyLink``, on its event loop: made and removed while it stands.
///
/// Each proxy has a link of its own, or shares one by a name. Nothing here waits; what listens is opened by ``NamedProxies``.
final class ProxyRegistry {
    /// One named proxy.
    final class Entry {
        let door: Door
        let engine: LinkEngine
        let link: String?
        var listen: String
        var upstream: String
        var listener: (any Channel)?

        init(door: Door, engine: LinkEngine, request: NamedProxyRequest) {
            self.door = door
            self.engine = engine
            link = request.link
            listen = request.listen
            upstream = request.upstream
        }

        /// The proxy as it is now.
        var proxy: NamedProxy {
            let toxics = door.toxics
            return NamedProxy(
                name: door.name, listen: listen, upstream: upstream, isEnabled: listener != nil,
                toxics: toxics.filter { $0.direction == .uplink } + toxics.filter { $0.direction == .downlink },
                link: link, openConnections: door.connections.count, received: door.received, sent: door.sent)
        }
    }

    private let base: LinkEngine
    private(set) var entries: [String: Entry] = [:]
    /// Links that proxies share.
    private var links: [String: LinkEngine] = [:]
    var limits = NamedProxyLimits()
    private(set) var isClosed = false

    /// `base`: whose profile, seed and bounds links of named proxies have.
    init(of base: LinkEngine) { self.base = base }

    /// What all engines share.
    var commons: EngineCommons { base.commons }

    /// The proxies, by name.
    var proxies: [NamedProxy] { entries.values.map(\.proxy).sorted { $0.name < $1.name } }

    func entry(_ name: String) throws(NamedProxyError) -> Entry {
        guard let entry = entries[name] else { throw .proxyNotFound }
        return entry
    }

    /// Makes a proxy that does not yet listen, and checks all that can be known before it does.
    func make(_ request: NamedProxyRequest) throws(NamedProxyError) -> Entry {
        guard !isClosed else { throw .cannotListen(ProxyLinkError.closed.description) }
        guard entries[request.name] == nil else { throw .proxyExists }
        guard entries.count < limits.proxies else {
            throw .tooMany("there are \(entries.count) proxies, as many as this server allows; remove one first")
        }
        guard (1...limits.nameBytes).contains(request.name.utf8.count) else {
            throw .invalid("a name has 1 to \(limits.nameBytes) bytes")
        }
        let target = try Self.upstream(request.upstream)
        let door = Door(name: request.name, target: target, seed: base.configuration.seed)
        return Entry(door: door, engine: try engine(for: request), request: request)
    }

    /// Takes a proxy in.
    func add(_ entry: Entry) {
        entries[entry.door.name] = entry
        if let link = entry.link { links[link] = entry.engine }
    }

    /// Takes a proxy out that no longer listens, and its link where no other proxy has it.
    func remove(_ entry: Entry) {
        entries[entry.door.name] = nil
        if let link = entry.link {
            guard !entries.values.contains(where: { $0.link == link }) else { return }
            links[link] = nil
        }
        entry.engine.stop()
    }

    /// Ends what is open, and lets nothing be made any more.
    func close() {
        isClosed = true
        for entry in entries.values {
            stop(entry)
            entry.engine.stop()
        }
        entries = [:]
        links = [:]
    }

    /// Takes in no more connections, and closes those that are open; answers what closes the listener.
    @discardableResult
    func stop(_ entry: Entry) -> EventLoopFuture<Void> {
        let listener = entry.listener
        entry.listener = nil
        entry.door.closeConnections()
        guard let listener else { return base.eventLoop.makeSucceededVoidFuture() }
        entry.engine.listeners.removeAll { $0 === listener }
        return listener.close()
    }

    /// The target that an upstream says.
    static func upstream(_ text: String) throws(NamedProxyError) -> Endpoint {
        do { return try Endpoint(parsing: text) } catch {
            throw .invalid("the upstream '\(text)' is no HOST:PORT: \(error.reason)")
        }
    }

    private func engine(for request: NamedProxyRequest) throws(NamedProxyError) -> LinkEngine {
        if let link = request.link {
            guard (1...limits.nameBytes).contains(link.utf8.count) else {
                throw .invalid("a link's name has 1 to \(limits.nameBytes) bytes")
            }
            if let engine = links[link] { return engine }
        }
        var configuration = base.configuration
        configuration.forward = nil
        configuration.reverse = []
        configuration.control = nil
        configuration.schedule = nil
        configuration.limits.decisions = 0
        // Two links of one seed would lose the same bytes of the same requests.
        configuration.seed = KeyedRandom(seed: configuration.seed).streamKey(
            request.link.map { "link \($0)" } ?? "proxy \(request.name)")
        return LinkEngine(
            configuration, eventLoop: base.eventLoop, meterClock: base.meterClock, commons: base.commons,
            dial: base.dial)
    }
}
