/// One progress event of a request.
package struct ProgressSample: Hashable, Sendable {
    /// CLOCK_MONOTONIC nanoseconds.
    package var at: Int64
    /// 0 to 1, as the client says; anything else is the client's mistake and is taken as it is.
    package var fraction: Double

    package init(at: Int64, fraction: Double) {
        self.at = at
        self.fraction = fraction
    }
}
