import Events
import LinuxSupport
import Synchronization

/// Tracks the progress of requests, and reports when one reaches a fraction.
final class ProgressWatch: Sendable {
    private struct Waiter {
        let request: String
        let fraction: Double
        let latch: Latch<Void>
    }

    private struct State {
        var fractions: [String: Double] = [:]
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    /// Records an event; a request that has ended satisfies every wait.
    func note(_ event: ClientEvent) {
        let hasEnded = event.kind == .available || event.kind == .error
        guard let request = event.id, let fraction = hasEnded ? 2 : event.fraction else { return }
        let due = state.withLock { state in
            state.fractions[request] = max(state.fractions[request] ?? 0, fraction)
            let due = state.waiters.filter { $0.request == request && $0.fraction <= fraction }
            state.waiters.removeAll { $0.request == request && $0.fraction <= fraction }
            return due
        }
        for waiter in due { waiter.latch.open(()) }
    }

    /// Waits until the progress of a request reaches `fraction` (0 to 1), or the request has ended.
    func wait(for request: String, toReach fraction: Double) async {
        let latch = Latch<Void>()
        let isThere = state.withLock { state in
            if let reached = state.fractions[request], reached >= fraction { return true }
            state.waiters.append(Waiter(request: request, fraction: fraction, latch: latch))
            return false
        }
        if !isThere { await latch.value }
    }
}
