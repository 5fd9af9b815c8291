/// A trace that takes the place of a rate from some moment on.
package struct LiveTrace: Hashable, Sendable {
    package var trace: DeliveryTrace
    /// When its first millisecond began.
    package var since: Instant

    package init(trace: DeliveryTrace, since: Instant) {
        self.trace = trace
        self.since = since
    }
}
