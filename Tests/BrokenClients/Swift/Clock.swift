import Foundation

/// Seconds and nanoseconds of CLOCK_MONOTONIC.
enum Clock {
    static var nanoseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    static var seconds: Double { Double(nanoseconds) / 1e9 }

    /// The time between two checks during a wait, in seconds.
    static let slice = 0.05
}
