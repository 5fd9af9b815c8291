internal import NIOCore
import Synchronization

/// An engine, for tasks that do not run on its event loop.
struct EngineHandle: Sendable {
    let engine: NIOLoopBound<LinkEngine>
    let eventLoop: any EventLoop
    private let gate = LoopGate()

    init(engine: NIOLoopBound<LinkEngine>, eventLoop: any EventLoop) {
        (self.engine, self.eventLoop) = (engine, eventLoop)
    }

    /// Runs `body` on the engine's loop; throws ``ProxyLinkError/closed`` where the link is down, unless `orDown` allows that.
    func run<Value: Sendable>(
        orDown: Bool = false, _ body: @escaping @Sendable (LinkEngine) throws -> Value
    ) async throws -> Value {
        try await gate.submit(on: eventLoop) {
            guard orDown || !engine.value.isStopped else { throw ProxyLinkError.closed }
            return try body(engine.value)
        }.get()
    }

    /// Has every later ``run(orDown:_:)`` throw: the loop is about to be shut down.
    func leaveLoop() { gate.close() }
}

/// Whether a loop still takes work: what is handed to one that was shut down is never done, and never fails.
private final class LoopGate: Sendable {
    private let isOpen = Mutex(true)

    /// Hands work to the loop; throws ``ProxyLinkError/closed`` where it takes none any more.
    func submit<Value: Sendable>(
        on eventLoop: any EventLoop, _ body: @escaping @Sendable () throws -> Value
    ) throws -> EventLoopFuture<Value> {
        try isOpen.withLock { isOpen in
            guard isOpen else { throw ProxyLinkError.closed }
            return eventLoop.submit(body)
        }
    }

    func close() { isOpen.withLock { $0 = false } }
}
