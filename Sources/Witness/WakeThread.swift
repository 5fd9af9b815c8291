import Glibc
import LinuxSupport
import Synchronization

/// A thread that only wakes up at set times, and records how late it was.
///
/// The times are absolute: a late wake-up does not shift the next one. A time that passed meanwhile counts as late too.
final class WakeThread: Sendable {
    /// The thread's name, as ps(1) shows it.
    static let name = "witness"

    private enum State {
        case running
        case stopping(CheckedContinuation<LatenessHistogram, Never>)
        case ended(LatenessHistogram)
    }

    private let period: Int64
    /// When the thread was requested: a late start counts as lateness.
    private let begin = MonotonicClock.now
    private let state = Mutex(State.running)

    private init(period: Int64) { self.period = period }

    /// Starts a thread that wakes up every `period` nanoseconds; `nil` if the system has no thread left.
    ///
    /// Call ``stop()`` once: the thread runs until then.
    static func start(period: Int64) -> WakeThread? {
        let thread = WakeThread(period: period)
        // It is detached: it reports its own end.
        guard (try? DedicatedThread.start(named: name, { thread.run() })) != nil else { return nil }
        return thread
    }

    /// Ends the thread, and returns its record.
    ///
    /// Waits until it wakes up once more, within a period.
    func stop() async -> LatenessHistogram {
        await withCheckedContinuation { continuation in
            let ended: LatenessHistogram? = state.withLock { state in
                if case .ended(let histogram) = state { return histogram }
                state = .stopping(continuation)
                return nil
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    private func run() {
        var histogram = LatenessHistogram()
        var deadline = begin
        // Deadlines before the stop count, however late their wake-up is.
        repeat {
            deadline += period
            guard Self.sleep(until: deadline) else { break }
            histogram.record(MonotonicClock.now - deadline)
        } while isRunning || deadline + period <= MonotonicClock.now
        let waiting: CheckedContinuation<LatenessHistogram, Never>? = state.withLock { state in
            defer { state = .ended(histogram) }
            if case .stopping(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: histogram)
    }

    private var isRunning: Bool {
        state.withLock { if case .running = $0 { true } else { false } }
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
