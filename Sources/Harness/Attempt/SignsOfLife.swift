import LinkModel
import LinuxSupport
import PackHost
import Synchronization

/// The last time at which the client of an attempt showed host or link a sign of life.
///
/// A sign is a lookup, a connection, a request, or bytes that arrive. A client's output is no sign, as a progress bar
/// may move without a download. Neither is its processor time.
final class SignsOfLife: Sendable {
    /// The default time without a sign after which an attempt counts as idle, and takes next to nothing of the machine.
    static let idleTime = Duration.seconds(5)

    /// The time of the last sign, in CLOCK_MONOTONIC nanoseconds.
    private let last = Mutex(MonotonicClock.now)

    /// The time of the last sign, in CLOCK_MONOTONIC nanoseconds.
    var latest: Int64 { last.withLock { $0 } }

    /// Notes a sign now.
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

    /// Returns after `limit` without a sign; throws `CancellationError` if the task is cancelled before.
    func silence(of limit: Duration) async throws {
        while true {
            let left = limit - .nanoseconds(MonotonicClock.now - latest)
            guard left > .zero else { return }
            try await Task.sleep(for: left)
        }
    }
}
