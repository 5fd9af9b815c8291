/// The body bytes that the link had handed to the client's end by a moment, counted from the attempt's start.
package struct DeliverySample: Hashable, Sendable {
    /// CLOCK_MONOTONIC nanoseconds.
    package var at: Int64
    package var totalBytes: Int64

    package init(at: Int64, totalBytes: Int64) {
        self.at = at
        self.totalBytes = totalBytes
    }
}
