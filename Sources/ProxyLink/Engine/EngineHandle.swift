internal import NIOCore

/// Access to an engine for tasks that do not run on its event loop.
struct EngineHandle: Sendable {
    let engine: NIOLoopBound<LinkEngine>
    let loop: LinkLoop

    var eventLoop: any EventLoop { loop.eventLoop }

    /// Runs `body` on the engine's loop; throws ``ProxyLinkError/closed`` if the link is down, unless `orDown`.
    func run<Value: Sendable>(
        orDown: Bool = false, _ body: @escaping @Sendable (LinkEngine) throws -> Value
    ) async throws -> Value {
        try await loop.submit {
            guard orDown || !engine.value.isStopped else { throw ProxyLinkError.closed }
            return try body(engine.value)
        }.get()
    }
}
