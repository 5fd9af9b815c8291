import LinkModel
import LinuxSupport

extension Instant {
    /// CLOCK_MONOTONIC, read now.
    static func monotonic() -> Instant { Instant(nanoseconds: MonotonicClock.now) }
}
