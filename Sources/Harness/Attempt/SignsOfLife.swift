import LinkModel
import LinuxSupport
import PackHost
import Synchronization

/// When the client of an attempt last showed that it lives, to host or link.
///
/// A sign is a lookup, a connection, a request, or bytes that arrive. What a client writes is none, for a bar moves where nothing
/// comes, and neither is the time of the processor that it takes.
final class SignsOfLife: Sendable {
    /// After how long without one an attempt counts as idle, where nothing else is said: it takes next to nothing of the machine.
    static let idleTime = Duration.seconds(5)

    /// CLOCK_MONOTONIC nanoseconds.
    private let last = Mutex(MonotonicClock.now)

    /// The last one, in CLOCK_MONOTONIC nanoseconds.
    var latest: Int64 { last.withLock { $0 } }

    /// Notes one, now.
    func note() { last.withLock { $0 = MonotonicClock.now } }

    func note(_ event: LinkEvent) {
        switch event.kind {
        case .opened, .flow, .connected, .delivered: note()
        case .lookup, .keyed, .refused, .hostSide, .serverName, .closed, .conditions, .decision: break
        }
    }

    func note(_ event: HostEvent) {
        if case .request = event.kind { note() }
    }

    /// Returns when there was none for `limit`; throws `CancellationError` where the task is cancelled before.
    func silence(of limit: Duration) async throws {
        while true {
            let left = limit - .nanoseconds(MonotonicClock.now - latest)
            guard left > .zero else { return }
            try await Task.sleep(for: left)
        }
    }
}
