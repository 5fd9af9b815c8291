internal import LinkModel
internal import NIOCore

/// The named proxies of a ``ProxyLink``, on its event loop; they are added and removed while the link is up.
///
/// Each proxy has a link of its own name, unless it shares one of another name. Nothing here waits;
/// ``NamedProxies`` opens the listeners.
final class ProxyRegistry {
    /// One named proxy.
    final class Entry {
        let door: Door
        let engine: LinkEngine
        let link: String
        var listen: String
        var upstream: String
        var listener: (any Channel)?

        init(door: Door, engine: LinkEngine, request: NamedProxyRequest) {
            self.door = door
            self.engine = engine
            link = request.linkName
            listen = request.listen
            upstream = request.upstream
        }

        /// The profile of its toxics, which its link follows; nil if none has one.
        var profile: Profile? { door.toxics.lazy.compactMap(\.profile).first }

        /// The current state of the proxy.
        var proxy: NamedProxy {
            let toxics = door.toxics
            return NamedProxy(
                name: door.name, listen: listen, upstream: upstream, isEnabled: listener != nil,
                toxics: toxics.filter { $0.direction == .uplink } + toxics.filter { $0.direction == .downlink },
                link: link, openConnections: door.connections.count, received: door.received, sent: door.sent)
        }
    }

    /// A link that proxies may share.
    struct Link {
        let engine: LinkEngine
        /// Whether it stays even without proxies, because a client made it explicitly.
        var stays = false
    }

    /// The name of the link of the proxy's own listeners.
    static let mainLink = "main"

    private let base: LinkEngine
    private(set) var entries: [String: Entry] = [:]
    /// The links by name, without ``mainLink``.
    private(set) var links: [String: Link] = [:]
    var limits = NamedProxyLimits()
    private(set) var isClosed = false

    /// `base`: the engine of the proxy's own listeners; other links have its profile and bounds, and seeds derived from
    /// its own.
    init(of base: LinkEngine) { self.base = base }

    /// What all engines share.
    var commons: EngineCommons { base.commons }

    /// The proxies, by name.
    var proxies: [NamedProxy] { entries.values.map(\.proxy).sorted { $0.name < $1.name } }

    func entry(_ name: String) throws(NamedProxyError) -> Entry {
        guard let entry = entries[name] else { throw .proxyNotFound }
        return entry
    }

    /// Makes a proxy that does not yet listen, after all checks that are possible before listening.
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
        try check(request.toxics, of: request.name, on: request.linkName)
        let engine = try engine(request.linkName)
        let door = Door(name: request.name, target: target, seed: engine.configuration.seed)
        door.toxics = request.toxics
        return Entry(door: door, engine: engine, request: request)
    }

    /// Adds a proxy that ``make(_:)`` has made; its link follows its profile from now on.
    func add(_ entry: Entry) {
        entries[entry.door.name] = entry
        if let profile = entry.profile { entry.engine.cover(profile) }
        if entry.engine !== base, links[entry.link] == nil { links[entry.link] = Link(engine: entry.engine) }
    }

    /// Removes a proxy that no longer listens, and its link unless another proxy uses it or it is to stay.
    func remove(_ entry: Entry) {
        let wasAdded = entries.removeValue(forKey: entry.door.name) != nil
        let isUsed = entries.values.contains { $0.link == entry.link }
        guard entry.engine !== base, !isUsed, links[entry.link]?.stays != true else {
            // Others use the link: it must not follow a profile that nothing lists and nothing removes.
            if wasAdded, entry.profile != nil { entry.engine.uncover() }
            return
        }
        links[entry.link] = nil
        entry.engine.stop()
    }

    /// Stops all proxies and links; none can be made afterwards.
    func close() {
        isClosed = true
        for entry in entries.values { stop(entry) }
        for link in links.values { link.engine.stop() }
        entries = [:]
        links = [:]
    }

    /// Closes the open connections and the listener; the future is complete when the listener is closed.
    @discardableResult
    func stop(_ entry: Entry) -> EventLoopFuture<Void> {
        let listener = entry.listener
        entry.listener = nil
        entry.door.closeConnections()
        guard let listener else { return base.eventLoop.makeSucceededVoidFuture() }
        entry.engine.listeners.removeAll { $0 === listener }
        return listener.close()
    }

    /// Reads the target of an upstream; throws ``NamedProxyError/invalid(_:)`` if it is not HOST:PORT.
    ///
    /// As in Toxiproxy, an upstream without a port is accepted, and connecting to it fails: tests use such names.
    static func upstream(_ text: String) throws(NamedProxyError) -> Endpoint {
        do { return try Endpoint(parsing: text, defaultPort: 0) } catch {
            throw .invalid("the upstream '\(text)' is not HOST:PORT: \(error.reason)")
        }
    }

    /// The engine of the link with this name; makes the link if there is none.
    private func engine(_ name: String) throws(NamedProxyError) -> LinkEngine {
        if name == Self.mainLink { return base }
        if let link = links[name] { return link.engine }
        return try newEngine(name)
    }

    /// Makes the engine of a link; `seed`: nil derives it from the base's seed and the link's name.
    private func newEngine(
        _ name: String, seed: UInt64? = nil, schedule: FaultSchedule? = nil
    ) throws(NamedProxyError) -> LinkEngine {
        guard (1...limits.nameBytes).contains(name.utf8.count) else {
            throw .invalid("the name of a link has 1 to \(limits.nameBytes) bytes")
        }
        var configuration = base.configuration
        configuration.forward = nil
        configuration.reverse = []
        configuration.control = nil
        configuration.schedule = schedule
        configuration.limits.decisions = 0
        // Two links with one seed would lose the same bytes of the same requests.
        configuration.seed = seed ?? KeyedRandom(seed: configuration.seed).streamKey("link \(name)")
        return LinkEngine(
            configuration, eventLoop: base.eventLoop, meterClock: base.meterClock, named: (name, base.commons),
            dial: base.dial)
    }

    /// The current state of all links: ``mainLink`` first, the others by name.
    var namedLinks: [NamedLink] {
        [snapshot(Self.mainLink, base)] + links.map { snapshot($0.key, $0.value.engine) }.sorted { $0.name < $1.name }
    }

    func namedLink(_ name: String) throws(NamedProxyError) -> NamedLink {
        if name == Self.mainLink { return snapshot(name, base) }
        guard let link = links[name] else { throw .linkNotFound }
        return snapshot(name, link.engine)
    }

    /// Makes a link that stays without proxies, or changes a link; returns whether it is new.
    func put(_ name: String, _ request: NamedLinkRequest) throws(NamedProxyError) -> Bool {
        let known = name == Self.mainLink ? base : links[name]?.engine
        let way = name == Self.mainLink ? "start the proxy with another one" : "remove the link first"
        if let known, let seed = request.seed, known.configuration.seed != seed {
            throw .invalid("the seed of a link cannot change: \(way)")
        }
        if let known, let schedule = request.schedule, known.configuration.schedule != schedule {
            throw .invalid("the schedule of a link cannot change: \(way)")
        }
        if known == nil, links.count >= limits.proxies {
            throw .tooMany("there are \(links.count) links, as many as this server allows; remove one first")
        }
        let taken = entries.values.first { $0.link == name && $0.profile != nil }
        if let taken, !request.changes.isEmpty {
            throw .profileTaken(
                "the link follows a toxic of the proxy '\(taken.door.name)'; change that one, or remove it")
        }
        let engine =
            if let known { known } else { try newEngine(name, seed: request.seed, schedule: request.schedule) }
        if name != Self.mainLink { links[name] = Link(engine: engine, stays: true) }
        engine.change(request.changes)
        return known == nil
    }

    /// Removes a link; throws if there is none, or if a proxy uses it.
    func removeLink(_ name: String) throws(NamedProxyError) {
        guard name != Self.mainLink else { throw .linkUsed("the link 'main' belongs to the proxy's own listeners") }
        guard let link = links[name] else { throw .linkNotFound }
        if let entry = entries.values.first(where: { $0.link == name }) {
            throw .linkUsed("the proxy '\(entry.door.name)' uses this link; remove the proxy first")
        }
        links[name] = nil
        link.engine.stop()
    }

    private func snapshot(_ name: String, _ engine: LinkEngine) -> NamedLink {
        NamedLink(
            name: name, profile: engine.followedProfile, conditions: engine.conditions,
            offline: engine.model.source.offline, seed: engine.configuration.seed,
            schedule: engine.configuration.schedule,
            proxies: entries.values.filter { $0.link == name }.map(\.door.name).sorted(),
            counters: engine.counters())
    }
}
