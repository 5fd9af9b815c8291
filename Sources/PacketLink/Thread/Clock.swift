import Glibc
import LinkModel

extension Instant {
    /// CLOCK_MONOTONIC, read now.
    static func monotonic() -> Instant {
        var time = timespec()
        // It is on every Linux that Swift runs on.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
