import Events
import Glibc
import LinuxSupport
import Synchronization
import SystemPackage

/// Writes events, each line with one write(2), so that no line is split or stays in a buffer.
final class EventWriter: Sendable {
    private let file: FileDescriptor
    private let state = Mutex(State())

    private struct State {
        /// The number of lines written so far.
        var count = 0
        var failure: Errno?
    }

    /// A writer to a descriptor that this process inherited; it never closes it.
    init(descriptor: Int32) { file = FileDescriptor(rawValue: descriptor) }

    /// The error that lost events; nil if none were lost.
    var lost: Errno? { state.withLock { $0.failure } }

    /// Writes an event with its number.
    ///
    /// After the first failure it writes nothing more: a reader must not see gaps.
    func write(_ event: ClientEvent) {
        state.withLock { state in
            guard state.failure == nil else { return }
            state.count += 1
            var event = event
            event.n = state.count
            do { try file.writeAll(event.line.utf8) } catch {
                state.failure = error as? Errno ?? .ioError
            }
        }
    }

    /// Writes an event that happens now.
    func write(_ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void) {
        write(ClientEvent(kind, at: MonotonicClock.now, fill))
    }
}

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
