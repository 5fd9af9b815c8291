import Glibc

/// The clock of every timeline and deadline: CLOCK_MONOTONIC (clock_gettime(2)), the same for all processes of a
/// machine.
package enum MonotonicClock {
    /// Nanoseconds since an unspecified moment before this process began.
    package static var now: Int64 {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else {
            preconditionFailure("every Linux has CLOCK_MONOTONIC")
        }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
