import Synchronization

/// Holds one download back, from any thread, as long as it is paused or somebody else's is more urgent.
///
/// A transfer that is held keeps its connection and reads nothing: the host's bytes wait where they are, and none is
/// asked for twice afterwards. Its patience does not run.
final class Brake: Sendable {
    private struct State {
        /// Since when it is on; nil while it is off.
        var since: Int64?
        /// How long it was on before, in nanoseconds.
        var before: Int64 = 0
    }

    private let state = Mutex(State())

    /// Whether the download is held back now.
    var isOn: Bool { state.withLock { $0.since != nil } }

    /// How long it has been held back until `now`, in nanoseconds.
    func held(until now: Int64) -> Int64 {
        state.withLock { $0.before + ($0.since.map { max(0, now - $0) } ?? 0) }
    }

    /// Holds back or lets go; the loop must be woken to notice.
    func set(_ isOn: Bool, at now: Int64 = Monotonic.now()) {
        state.withLock { state in
            if let since = state.since, !isOn { state.before += max(0, now - since) }
            state.since = isOn ? state.since ?? now : nil
        }
    }
}
