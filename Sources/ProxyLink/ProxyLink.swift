package import LinkModel
import LinuxSupport
internal import NIOCore
internal import NIOPosix

/// A throttling proxy: client sockets on one side, real targets on the other, and one modelled link between them.
///
/// All bytes of all connections share the link, as they would share a radio. Nothing is ever taken from a stream: loss is
/// met as the stall that a retransmission costs (fidelity: modelled). Everything runs on one event loop of its own.
package struct ProxyLink: ConditionedLink {
    /// Where the HTTP and SOCKS proxy listens; nil where the configuration has none.
    package let forwardAddress: Endpoint?
    /// Where the reverse listeners listen, in the order of the configuration.
    package let reverseAddresses: [Endpoint]
    /// Where the control API listens; nil where the configuration has none.
    package let controlAddress: Endpoint?
    /// Proxies that are made and removed while it stands.
    package let named: NamedProxies
    let feed: AsyncStream<LinkEvent>

    fileprivate let engine: EngineHandle

    package var conditions: LinkConditions {
        get async throws { try await engine.run { $0.conditions } }
    }

    /// What already waits or travels follows ``LinkModel/StreamLink/set(_:at:)``; throws only when the link is down.
    @discardableResult
    package func update(_ change: @escaping @Sendable (inout LinkConditions) -> Void) async throws -> Int {
        try await engine.run { engine in
            var conditions = engine.conditions
            change(&conditions)
            return engine.set(conditions)
        }
    }

    @discardableResult
    package func follow(_ profile: Profile, age: Duration) async throws -> Int {
        try await engine.run { $0.set(profile, age: age) }
    }

    /// A link that still follows it only gets a new generation.
    @discardableResult
    package func release() async throws -> Int {
        try await engine.run { $0.release() }
    }

    package func cut() async throws {
        try await engine.run { $0.resetConnections() }
    }

    /// What has crossed the link so far; still to be had when it has been taken down.
    package func counters() async throws -> ProxyCounters {
        try await engine.run(orDown: true) { $0.counters() }
    }

    /// How many payload bytes sockets had really taken over time, 10 ms apart or more while there is traffic.
    ///
    /// Counted at the sockets with a clock of its own, so that it can be compared with what the model says.
    package func samples() async throws -> [MeterSample<PerDirection<Int64>>] {
        try await engine.run(orDown: true) { $0.meter.samples }
    }

    /// What the link has decided about packets so far; still to be had when it has been taken down.
    package func record() async throws -> FaultRecord {
        try await engine.run(orDown: true) { engine in
            var record = engine.record
            record.unmet = engine.model.unmetFaults
            return record
        }
    }

    /// Resets what is open.
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
        // Before anything listens: no client may have passed before it is known where none may go.
        controlAddress = try await Self.openControl(configuration.control, of: self.engine, named)
        let listener = Listener(engine: engine, eventLoop: eventLoop, tuning: tuning)
        var forward: Endpoint?
        if let endpoint = configuration.forward {
            forward = try await listener.listen(at: endpoint, entrance: .forward)
        }
        var reverse: [Endpoint] = []
        for reverseListener in configuration.reverse {
            reverse.append(
                try await listener.listen(at: reverseListener.listen, entrance: .reverse(reverseListener.target)))
        }
        forwardAddress = forward
        reverseAddresses = reverse
    }

    private static func openControl(
        _ control: ControlConfiguration?, of engine: EngineHandle, _ named: NamedProxies
    ) async throws -> Endpoint? {
        guard let control else { return nil }
        let server = ControlServer(configuration: control, engine: engine, named: named)
        return try await open(server, at: control.listen, of: engine)
    }

    /// Has an API listen, to which no target leads from then on; the address has its real port.
    private static func open(
        _ api: some APIAnswering, at endpoint: Endpoint, of engine: EngineHandle
    ) async throws -> Endpoint {
        let (channel, address) = try await api.listen(at: endpoint, on: engine.eventLoop)
        try await engine.run { engine in
            engine.commons.apis.append(address)
            engine.commons.apiListeners.append(channel)
        }
        return address
    }

    /// Answers the requests of an API's clients, for as long as the link is up; the address has its real port.
    ///
    /// Throws ``ProxyLinkError/listen(_:_:code:)`` where the address cannot be used.
    package func serve(_ service: APIService, at endpoint: Endpoint) async throws -> Endpoint {
        try await Self.open(service, at: endpoint, of: engine)
    }

    /// Answers those who open the forward proxy's own address, for as long as the link is up.
    package func serve(_ page: ProxyPage) async throws {
        try await engine.run { $0.commons.page = page }
    }
}

/// Runs `body` with a link that is up; takes it down and closes everything on return, throw and cancel.
///
/// Throws ``ProxyLinkError/listen(_:_:code:)`` where a listener cannot be opened, `ResourceShortage` where there
/// is no thread for it, and whatever `body` throws.
package func withProxyLink<Result>(
    _ configuration: ProxyLinkConfiguration,
    _ body: (ProxyLink) async throws -> Result
) async throws -> Result {
    // Twice as much, as others of this process may take some in this moment.
    try (ResourceNeeds.eventLoop * 2).check(for: "A link")
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
        let link = try await ProxyLink(configuration, on: group.next())
        let result: Result
        do {
            result = try await body(link)
        } catch {
            // Events end here too, for a reader until then.
            try? await link.close()
            link.engine.loop.close()
            throw error
        }
        do {
            try await link.close()
        } catch {
            link.engine.loop.close()
            throw error
        }
        link.engine.loop.close()
        try await group.shutdownGracefully()
        return result
    } catch {
        try? await group.shutdownGracefully()
        throw error
    }
}
