internal import NIOCore
internal import NIOPosix

/// Named proxies, for use from any task; each is a listener that leads to one upstream, through toxics, over a link.
///
/// Changes run one after the other, so that each sees the result of the last one, even if resolving a name takes long.
package struct NamedProxies: Sendable {
    let registry: NIOLoopBound<ProxyRegistry>
    private let loop: LinkLoop
    let turns = Turns()

    init(registry: NIOLoopBound<ProxyRegistry>, loop: LinkLoop) {
        self.registry = registry
        self.loop = loop
    }

    var eventLoop: any EventLoop { loop.eventLoop }

    /// All named proxies, by name.
    package var all: [NamedProxy] {
        get async throws { try await run { $0.proxies } }
    }

    package func proxy(_ name: String) async throws -> NamedProxy { try await run { try $0.entry(name).proxy } }

    /// Sets the bounds for all that is made from now on.
    package func limit(to limits: NamedProxyLimits) async throws { try await run { $0.limits = limits } }

    /// Makes a proxy; throws ``NamedProxyError``.
    package func add(_ request: NamedProxyRequest) async throws -> NamedProxy {
        try await turns.take { try await make(request) }
    }

    /// Makes each proxy that does not exist or has another address, upstream or link; leaves the others as they are.
    ///
    /// Throws ``NamedProxyError``: before the first change if it cannot read or resolve an address, else at the first
    /// proxy that cannot be made; those before it stay.
    package func populate(_ requests: [NamedProxyRequest]) async throws -> [NamedProxy] {
        try await turns.take {
            for request in requests {
                _ = try ProxyRegistry.upstream(request.upstream)
                if request.isEnabled { _ = try await Endpoint.listening(at: request.listen) }
            }
            var made: [NamedProxy] = []
            for request in requests {
                if let there = try? await proxy(request.name) {
                    let isSame =
                        try await isSame(request.listen, there) && there.upstream == request.upstream
                        && there.link == request.link ?? there.link
                    if isSame {
                        made.append(there)
                        continue
                    }
                    try await take(out: request.name)
                }
                made.append(try await make(request))
            }
            return made
        }
    }

    /// Changes a proxy; another address or upstream restarts it, which closes its connections.
    ///
    /// Throws if `link` is another one than it has, because that cannot change.
    package func update(
        _ name: String, listen: String? = nil, upstream: String? = nil, isEnabled: Bool? = nil, link: String? = nil
    ) async throws -> NamedProxy {
        try await turns.take {
            let there = try await proxy(name)
            try there.checkLink(link)
            return try await change(there, listen: listen, upstream: upstream, isEnabled: isEnabled)
        }
    }

    /// Makes a proxy, or changes the one of this name to match, with these toxics and no others.
    ///
    /// Returns the proxy, and whether it is new. `listen` and `isEnabled`: nil leaves a proxy that exists as it is. What
    /// is found to be wrong with the request before the listener opens is refused, and changes nothing.
    package func put(
        _ request: NamedProxyRequest, listen: String?, isEnabled: Bool?
    ) async throws -> (proxy: NamedProxy, isNew: Bool) {
        try await turns.take {
            guard let there = try? await proxy(request.name) else { return (try await make(request), true) }
            try there.checkLink(request.link)
            let proxy = try await change(
                there, listen: listen, upstream: request.upstream, isEnabled: isEnabled, toxics: request.toxics)
            return (proxy, false)
        }
    }

    /// Removes a proxy and closes its connections.
    package func remove(_ name: String) async throws {
        try await turns.take { try await take(out: name) }
    }

    /// Enables every proxy and removes all toxics.
    package func reset() async throws {
        try await turns.take {
            for proxy in try await all {
                if !proxy.isEnabled { try await start(proxy.name) }
                try await run { $0.removeToxics(of: try $0.entry(proxy.name)) }
            }
        }
    }

    package func add(_ toxic: Toxic, to name: String) async throws {
        try await turns.take { try await run { try $0.add(toxic, to: try $0.entry(name)) } }
    }

    /// Replaces a toxic by the result of `change`, and returns it.
    package func updateToxic(
        _ toxic: String, of name: String, _ change: @escaping @Sendable (Toxic) throws -> Toxic
    ) async throws -> Toxic {
        try await turns.take {
            try await run { registry in
                let entry = try registry.entry(name)
                guard let before = entry.door.toxics.first(where: { $0.name == toxic }) else {
                    throw NamedProxyError.toxicNotFound
                }
                let after = try change(before)
                try registry.update(after, of: entry)
                return after
            }
        }
    }

    package func removeToxic(_ toxic: String, of name: String) async throws {
        try await turns.take { try await run { try $0.removeToxic(toxic, of: try $0.entry(name)) } }
    }

    /// Removes all proxies and links; none can be made afterwards.
    func close() async throws { try await run { $0.close() } }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable (ProxyRegistry) throws -> Value
    ) async throws -> Value {
        let registry = registry
        return try await loop.submit { try body(registry.value) }.get()
    }

    private func make(_ request: NamedProxyRequest) async throws -> NamedProxy {
        let box = try await run { NIOLoopBound(try $0.make(request), eventLoop: eventLoop) }
        if request.isEnabled {
            do { try await open(box) } catch {
                try await run { $0.remove(box.value) }
                throw error
            }
        }
        return try await run { registry in
            // The link may have gone down meanwhile.
            guard !registry.isClosed else {
                registry.stop(box.value)
                throw NamedProxyError.cannotListen(ProxyLinkError.closed.description)
            }
            registry.add(box.value)
            return box.value.proxy
        }
    }

    /// Changes a proxy; all checks that are possible before listening come before the first change.
    private func change(
        _ before: NamedProxy, listen: String?, upstream: String?, isEnabled: Bool?, toxics: [Toxic]? = nil
    ) async throws -> NamedProxy {
        let name = before.name
        var moves = upstream.map { $0 != before.upstream } ?? false
        if let listen, try await !isSame(listen, before) { moves = true }
        let target = try upstream.map { text throws(NamedProxyError) in try ProxyRegistry.upstream(text) }
        let isWanted = isEnabled ?? before.isEnabled
        if let toxics { try await run { try $0.set(toxics, of: try $0.entry(name)) } }
        if before.isEnabled, moves || !isWanted { try await stop(name) }
        if moves {
            try await run { registry in
                let entry = try registry.entry(name)
                entry.listen = listen ?? entry.listen
                entry.upstream = upstream ?? entry.upstream
                if let target { entry.door.target = target }
            }
        }
        if isWanted, moves || !before.isEnabled { try await start(name) }
        return try await proxy(name)
    }

    private func take(out name: String) async throws {
        try await stop(name)
        try await run { $0.remove(try $0.entry(name)) }
    }

    private func start(_ name: String) async throws {
        let box = try await run { NIOLoopBound(try $0.entry(name), eventLoop: eventLoop) }
        try await open(box)
    }

    private func stop(_ name: String) async throws {
        try await run { $0.stop(try $0.entry(name)) }.get()
    }

    /// Opens the listener of a proxy.
    private func open(_ box: NIOLoopBound<ProxyRegistry.Entry>) async throws {
        let eventLoop = eventLoop
        let (listen, engine, door, tuning) = try await run { _ in
            let entry = box.value
            return (
                entry.listen, NIOLoopBound(entry.engine, eventLoop: eventLoop),
                NIOLoopBound(entry.door, eventLoop: eventLoop), entry.engine.tuning
            )
        }
        let place = try await Endpoint.listening(at: listen)
        do {
            let listener = Listener(engine: engine, eventLoop: eventLoop, tuning: tuning)
            let (channel, address) = try await listener.listen(at: place, entrance: .door(door))
            try await run { _ in
                box.value.listener = channel
                box.value.listen = address.description
            }
        } catch let error as ProxyLinkError {
            throw NamedProxyError.listening(error)
        }
    }

    /// Whether an address is the one at which a proxy listens.
    private func isSame(_ listen: String, _ proxy: NamedProxy) async throws -> Bool {
        if listen == proxy.listen { return true }
        return try await Endpoint.listening(at: listen).description == proxy.listen
    }
}

extension NamedProxy {
    /// Throws if `link` is given and not the proxy's.
    fileprivate func checkLink(_ link: String?) throws(NamedProxyError) {
        guard let link, link != self.link else { return }
        throw .invalid("the proxy's link, '\(self.link)', cannot change: remove the proxy first")
    }
}
