import Glibc
import LinuxSupport
import Synchronization

/// A thread that only wakes up at set times, and records how late it was, for all that listen at the time.
///
/// The times are absolute: a late wake-up does not shift the next one. A time that passed meanwhile counts as late too.
/// One thread serves all listeners, because many attempts run at once. It ends with the last of them.
final class WakeThread: Sendable {
    /// The thread's name, as ps(1) shows it.
    static let name = "witness"

    private struct Listener {
        let id: UInt64
        /// Only times after this one concern it.
        let begin: Int64
        var histogram = LatenessHistogram()
        /// Takes the record at the end.
        var end: CheckedContinuation<LatenessHistogram, Never>?
    }

    private struct State {
        var listeners: [Listener] = []
        var last: UInt64 = 0
        var isRunning = false
    }

    private let period: Int64
    private let state = Mutex(State())

    /// The times are `period` nanoseconds apart.
    init(period: Int64) { self.period = period }

    /// Starts to listen, and returns the listener's number for ``stop(_:)``; `nil` if the system has no thread left.
    func listen() -> UInt64? {
        let now = MonotonicClock.now
        return state.withLock { state in
            if !state.isRunning {
                // It is detached: it reports its own end. A late start counts as lateness.
                guard (try? DedicatedThread.start(named: Self.name, { self.run(from: now) })) != nil else { return nil }
                state.isRunning = true
            }
            state.last += 1
            state.listeners.append(Listener(id: state.last, begin: now))
            return state.last
        }
    }

    /// Ends a listener, and returns its record; an empty one for `nil`.
    ///
    /// Call it once. It waits until the thread wakes up once more, within a period.
    func stop(_ id: UInt64?) async -> LatenessHistogram {
        await withCheckedContinuation { continuation in
            let ended: LatenessHistogram? = state.withLock { state in
                guard let index = state.listeners.firstIndex(where: { $0.id == id }) else { return LatenessHistogram() }
                guard state.isRunning else { return state.listeners.remove(at: index).histogram }
                state.listeners[index].end = continuation
                return nil
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    private func run(from begin: Int64) {
        var deadline = begin
        var isRunning = true
        while isRunning {
            deadline += period
            let hasPassed = Self.sleep(until: deadline)
            let now = MonotonicClock.now
            // Times before the end count, however late their wake-up is.
            let isUpToDate = deadline + period > now
            let ended = state.withLock { state in
                for index in state.listeners.indices where hasPassed && state.listeners[index].begin < deadline {
                    state.listeners[index].histogram.record(now - deadline)
                }
                let ended = state.listeners.filter { $0.end != nil && (isUpToDate || !hasPassed) }
                if !ended.isEmpty { state.listeners.removeAll { $0.end != nil } }
                isRunning = hasPassed && !state.listeners.isEmpty
                state.isRunning = isRunning
                return ended
            }
            for listener in ended { listener.end?.resume(returning: listener.histogram) }
        }
    }

    /// Sleeps until `deadline` in nanoseconds, by clock_nanosleep(2); returns whether it has passed.
    private static func sleep(until deadline: Int64) -> Bool {
        var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        while true {
            switch unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) {
            case 0: return true
            case EINTR: continue
            default: return false
            }
        }
    }
}
