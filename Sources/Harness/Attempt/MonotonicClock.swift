import Glibc

/// The clock of every timeline: CLOCK_MONOTONIC (clock_gettime(2)).
enum MonotonicClock {
    /// Nanoseconds since some moment before this process.
    static var now: Int64 {
        var time = timespec()
        guard clock_gettime(CLOCK_MONOTONIC, &time) == 0 else {
            preconditionFailure("every Linux has CLOCK_MONOTONIC")
        }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
