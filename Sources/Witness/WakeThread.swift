import Glibc
import LinuxSupport
import Synchronization

/// A thread that does nothing but wake up at set times, and notes how late it was.
///
/// The times are absolute: a late wake-up does not shift the next one, and one that was slept through is late as well.
final class WakeThread: Sendable {
    /// The thread's name, as ps(1) shows it.
    static let name = "witness"

    private enum State {
        case running
        case stopping(CheckedContinuation<LatenessHistogram, Never>)
        case ended(LatenessHistogram)
    }

    private let period: Int64
    /// When it was asked for: if it starts late, it is late from then on.
    private let begin = MonotonicClock.now
    private let state = Mutex(State.running)

    private init(period: Int64) { self.period = period }

    /// Starts a thread that wakes up every `period` nanoseconds; `nil` where the system has none to give.
    ///
    /// ``stop()`` has to be called, once: the thread runs until then.
    static func start(period: Int64) -> WakeThread? {
        let thread = WakeThread(period: period)
        // It is not joined: it says itself that it ends.
        guard (try? DedicatedThread.start(named: name, { thread.run() })) != nil else { return nil }
        return thread
    }

    /// Ends the thread, and returns what it noted.
    ///
    /// It wakes up once more, within a period.
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
        // What it was to wake up for before it was stopped counts, however late.
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

    /// Whether it is now at least that time; see clock_nanosleep(2).
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
