/// A moment on the clock that the caller keeps, in nanoseconds; only differences have a meaning.
///
/// Outside of tests it is CLOCK_MONOTONIC (clock_gettime(2)).
///
/// What code for each packet uses is inlined into other modules; the compiler does not do so by itself.
@usableFromInline
package struct Instant: Hashable, Comparable, Sendable, Encodable {
    @usableFromInline package var nanoseconds: Int64

    @inlinable
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Encodes its nanoseconds.
    @usableFromInline
    package func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }

    /// The moment that is `right` later; clamped to the range of 64 bits.
    package static func + (left: Self, right: Duration) -> Self {
        let step = right.nanoseconds
        let (sum, isOver) = left.nanoseconds.addingReportingOverflow(step)
        return Instant(nanoseconds: isOver ? (step < 0 ? .min : .max) : sum)
    }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.nanoseconds == right.nanoseconds }

    /// How long after this moment `later` is; negative if it is before, and at most 292 years either way.
    package func duration(to later: Self) -> Duration {
        let (difference, isOver) = later.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(isOver ? (later < self ? .min : .max) : difference)
    }
}
