/// One progress event of a request.
package struct ProgressSample: Hashable, Sendable {
    /// CLOCK_MONOTONIC nanoseconds.
    package var at: Int64
    /// 0 to 1, as the client reports it; any other number is the client's mistake and is kept unchanged.
    package var fraction: Double

    package init(at: Int64, fraction: Double) {
        self.at = at
        self.fraction = fraction
    }
}
