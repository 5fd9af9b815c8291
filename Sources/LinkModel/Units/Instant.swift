/// A moment on the clock that the caller keeps, in nanoseconds; only differences have a meaning.
///
/// Outside of tests it is CLOCK_MONOTONIC (clock_gettime(2)).
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func + (left: Self, right: Duration) -> Self {
        Instant(nanoseconds: left.nanoseconds + right.nanoseconds)
    }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// How long after this moment `later` is; negative where it is before.
    package func duration(to later: Self) -> Duration {
        .nanoseconds(later.nanoseconds - nanoseconds)
    }
}
