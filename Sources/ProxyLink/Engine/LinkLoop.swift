internal import NIOCore
import Synchronization

/// The event loop of a link, for tasks that do not run on it.
///
/// A loop that was shut down neither runs nor fails the work that it is given. So this one refuses work once closed.
final class LinkLoop: Sendable {
    let eventLoop: any EventLoop
    private let isOpen = Mutex(true)

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Runs `body` on the loop, and returns its result; throws ``ProxyLinkError/closed`` if the loop is closed.
    func submit<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> EventLoopFuture<Value> {
        try isOpen.withLock { isOpen in
            guard isOpen else { throw ProxyLinkError.closed }
            return eventLoop.submit(body)
        }
    }

    /// Refuses all work from now on, before the loop is shut down.
    func close() { isOpen.withLock { $0 = false } }
}
