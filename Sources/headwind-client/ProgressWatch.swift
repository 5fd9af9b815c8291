import Events
import Synchronization

/// Knows how far requests are, and tells when one has come far enough.
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

    /// Takes an event in; a request that has ended has come as far as it ever will.
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

    /// Waits until a request has come so far, or has ended.
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
