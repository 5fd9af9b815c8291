package import LinkModel
import LinuxSupport
internal import NIOCore
internal import NIOPosix

/// A throttling proxy: client sockets on one side, real targets on the other, and one modelled link between them.
///
/// All connections share the link, as they would share a radio. No byte of a stream is ever dropped: a lost packet
/// delays the stream by the time of its retransmission (fidelity: modelled). Everything runs on one event loop of its
/// own.
package struct ProxyLink: ConditionedLink {
    /// Where the HTTP and SOCKS proxy listens; nil if the configuration has none.
    package let forwardAddress: Endpoint?
    /// Where the reverse listeners listen, in the order of the configuration.
    package let reverseAddresses: [Endpoint]
    /// Where the control API listens; nil if the configuration has none.
    package let controlAddress: Endpoint?
    /// The named proxies, which are added and removed while the link is up.
    package let named: NamedProxies
    let feed: AsyncStream<LinkEvent>

    let engine: EngineHandle

    package var conditions: LinkConditions {
        get async throws { try await engine.run { $0.conditions } }
    }

    /// Changes the conditions, and returns the new generation; throws only if the link is down.
    ///
    /// Bytes that already wait or travel are treated as by ``LinkModel/StreamLink/follow(_:at:)``.
    @discardableResult
    package func update(_ change: @escaping @Sendable (inout LinkConditions) -> Void) async throws -> Int {
        try await engine.run { engine in
            var conditions = engine.conditions
            change(&conditions)
            return engine.take(.conditions(conditions))
        }
    }

    @discardableResult
    package func follow(_ profile: Profile, age: Duration) async throws -> Int {
        try await engine.run { $0.follow(profile, age: age) }
    }

    /// Lets the link follow its own profile again; if it still does, it only gets a new generation.
    @discardableResult
    package func release() async throws -> Int {
        try await engine.run { $0.take(.own) }
    }

    package func cut() async throws {
        try await engine.run { $0.resetConnections() }
    }

    /// What has crossed the link so far; also available after the link is down.
    package func counters() async throws -> ProxyCounters {
        try await engine.run(orDown: true) { $0.counters() }
    }

    /// The payload bytes that the sockets had taken over time; samples are 10 ms apart or more while there is traffic.
    ///
    /// The bytes are counted at the sockets, by a clock of their own, so that they can be compared with the model.
    package func samples() async throws -> [MeterSample<PerDirection<Int64>>] {
        try await engine.run(orDown: true) { $0.meter.samples }
    }

    /// The decisions about packets so far; also available after the link is down.
    package func record() async throws -> FaultRecord {
        try await engine.run(orDown: true) { engine in
            var record = engine.record
            record.unmet = engine.model.unmetFaults
            return record
        }
    }

    /// Takes the link down: resets open connections, and closes all listeners.
    package func close() async throws {
        try await named.close()
        try await engine.run(orDown: true) { engine in
            for listener in engine.listeners + engine.commons.apiListeners { listener.close(promise: nil) }
            engine.listeners = []
            engine.commons.apiListeners = []
            engine.stop()
        }
    }

    fileprivate init(_ configuration: ProxyLinkConfiguration, on eventLoop: any EventLoop) async throws {
        let (engine, tuning, events, registry) = try await eventLoop.submit {
            let dialer = Dialer(eventLoop: eventLoop, timeout: configuration.limits.dialTime)
            let engine = LinkEngine(
                configuration, eventLoop: eventLoop, meterClock: Instant.monotonic,
                dial: { dialer.dial($0, tuning: $1, admission: $2) })
            let registry = ProxyRegistry(of: engine)
            return (
                NIOLoopBound(engine, eventLoop: eventLoop), engine.tuning, engine.feed.events,
                NIOLoopBound(registry, eventLoop: eventLoop)
            )
        }.get()
        let loop = LinkLoop(eventLoop)
        named = NamedProxies(registry: registry, loop: loop)
        self.engine = EngineHandle(engine: engine, loop: loop)
        feed = events
        // The API opens before the listeners, so that its address is forbidden as a target for the first client too.
        controlAddress = try await Self.openControl(configuration.control, of: self.engine, named)
        let listener = Listener(engine: engine, eventLoop: eventLoop, tuning: tuning)
        var forward: Endpoint?
        if let endpoint = configuration.forward {
            forward = try await listener.listen(at: endpoint, entrance: .forward).address
        }
        var reverse: [Endpoint] = []
        for reverseListener in configuration.reverse {
            let entrance = LinkEngine.Entrance.reverse(reverseListener.target)
            reverse.append(try await listener.listen(at: reverseListener.listen, entrance: entrance).address)
        }
        forwardAddress = forward
        reverseAddresses = reverse
    }

    private static func openControl(
        _ control: ControlConfiguration?, of engine: EngineHandle, _ named: NamedProxies
    ) async throws -> Endpoint? {
        guard let control else { return nil }
        let server = ControlServer(configuration: control, engine: engine, named: named)
        return try await open(server.service, at: control.listen, of: engine)
    }

    /// Starts an API, and returns its address with the real port; the proxy connects no client to this address.
    private static func open(
        _ api: APIService, at endpoint: Endpoint, of engine: EngineHandle
    ) async throws -> Endpoint {
        let (channel, address) = try await api.listen(at: endpoint, on: engine.eventLoop)
        try await engine.run { engine in
            engine.commons.apis.append(address)
            engine.commons.apiListeners.append(channel)
        }
        return address
    }

    /// Serves an API at `endpoint` for as long as the link is up, and returns the address with the real port.
    ///
    /// Throws ``ProxyLinkError/listen(_:_:code:)`` if the address cannot be used.
    package func serve(_ service: APIService, at endpoint: Endpoint) async throws -> Endpoint {
        try await Self.open(service, at: endpoint, of: engine)
    }

    /// Serves a page to clients that open the forward proxy's own address, for as long as the link is up.
    package func serve(_ page: ProxyPage) async throws {
        try await engine.run { $0.commons.page = page }
    }

    package var events: any AsyncSequence<LinkEvent, Never> & Sendable { feed }

    package func use() async throws -> LinkUse {
        let counters = try await counters()
        var use = LinkUse()
        use.payload = counters.payload
        use.model = counters.link
        use.connections = counters.accepted
        use.refusedConnections = counters.refused
        use.droppedEvents = counters.droppedEvents
        use.meter = try await samples()
        use.record = try await record()
        return use
    }
}

/// Runs `body` with a link that is up; takes the link down and closes everything on return, throw and cancel.
///
/// Throws ``ProxyLinkError/listen(_:_:code:)`` if a listener cannot be opened, `ResourceShortage` if there is no
/// thread for the event loop, and each error of `body`.
package func withProxyLink<Result>(
    _ configuration: ProxyLinkConfiguration,
    _ body: (ProxyLink) async throws -> Result
) async throws -> Result {
    // Twice the need, as other code of this process may take resources at the same time.
    try (ResourceNeeds.eventLoop * 2).check(for: "A link")
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    return try await ending {
        let link = try await ProxyLink(configuration, on: group.next())
        defer { link.engine.loop.close() }
        return try await ending {
            try await body(link)
        } with: {
            // This also ends the stream of events for its reader.
            try await link.close()
        }
    } with: {
        try await group.shutdownGracefully()
    }
}
