import LinuxSupport
import Synchronization

/// Holds one download back, from any thread, while it is paused or another one has a higher priority.
///
/// A transfer that is held keeps its connection and reads nothing: the host's bytes wait in the network, and none is
/// fetched twice. A transfer that yields gives up its connection and later resumes by a range, so that the host sends
/// nothing that slows the other one. Patience does not run meanwhile.
final class TransferPause: Sendable {
    private struct State {
        /// Since when the download is held back; nil while it is not.
        var since: Int64?
        /// When a transfer that has not begun may start, after it was held back.
        var start: Int64 = .min
        /// Whether the connection is given up.
        var yields = false
        /// How long it was held back before, in nanoseconds.
        var before: Int64 = 0
        /// Whether the download receives nothing, although it may.
        var isIdle = false
    }

    /// How long a transfer that was held back before it began waits once it may begin, in nanoseconds.
    ///
    /// An app often requests the next pack at the moment when it has the last one. A transfer that begins in between is
    /// held back again at once, and the bytes that the host has sent by then cross the link twice.
    private static let grace: Int64 = 200_000_000

    private let state = Mutex(State())
    private let onIdle: @Sendable (Bool) -> Void

    /// Creates a pause that is off.
    ///
    /// `onIdle` is called with true when the download receives nothing although it may, and with false when it goes on.
    init(onIdle: @escaping @Sendable (Bool) -> Void = { _ in }) { self.onIdle = onIdle }

    /// Sets whether the download waits for its next try, or for a silent host.
    func setIdle(_ isIdle: Bool) {
        let isChanged = state.withLock { state in
            defer { state.isIdle = isIdle }
            return state.isIdle != isIdle
        }
        if isChanged { onIdle(isIdle) }
    }

    /// Whether the download is held back now.
    var isOn: Bool { state.withLock { $0.since != nil } }

    /// When a transfer that has not begun may start, in nanoseconds of CLOCK_MONOTONIC; nil while the download is held
    /// back.
    var start: Int64? { state.withLock { $0.since == nil ? $0.start : nil } }

    /// Whether the download is held back now, and must give up its connection.
    var isYielding: Bool { state.withLock { $0.since != nil && $0.yields } }

    /// How long it has been held back in total until `now`, in nanoseconds.
    func held(until now: Int64) -> Int64 {
        state.withLock { $0.before + ($0.since.map { max(0, now - $0) } ?? 0) }
    }

    /// A clock in nanoseconds that stops while the download is held back, so that waiting does not use up its patience.
    var ownTime: Int64 {
        let now = MonotonicClock.now
        return now - held(until: now)
    }

    /// Holds the download back or releases it; the loop must be woken to notice.
    func set(_ isOn: Bool, yields: Bool = false, at now: Int64 = MonotonicClock.now) {
        state.withLock { state in
            state.yields = yields
            if let since = state.since, !isOn {
                state.before += max(0, now - since)
                state.start = now + Self.grace
            }
            state.since = isOn ? state.since ?? now : nil
        }
    }
}
