internal import NIOCore
import Synchronization

/// The event loop of a link, for tasks that do not run on it.
///
/// What is handed to a loop that was shut down is never done, and never fails: so it takes nothing any more once it is closed.
final class LinkLoop: Sendable {
    let eventLoop: any EventLoop
    private let isOpen = Mutex(true)

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Does something on the loop, and answers what comes of it; throws ``ProxyLinkError/closed`` where it is closed.
    func submit<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> EventLoopFuture<Value> {
        try whileOpen { eventLoop.submit(body) }
    }

    /// The same for what is over later than its call.
    func flatSubmit<Value: Sendable>(
        _ body: @escaping @Sendable () -> EventLoopFuture<Value>
    ) throws -> EventLoopFuture<Value> {
        try whileOpen { eventLoop.flatSubmit(body) }
    }

    /// Takes nothing any more: the loop is about to be shut down.
    func close() { isOpen.withLock { $0 = false } }

    private func whileOpen<Value>(_ submit: () -> EventLoopFuture<Value>) throws -> EventLoopFuture<Value> {
        try isOpen.withLock { isOpen in
            guard isOpen else { throw ProxyLinkError.closed }
            return submit()
        }
    }
}
