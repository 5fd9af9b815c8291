/// The observations of one request of the workload, for times and progress.
package struct RequestObservation: Hashable, Sendable {
    package var id: String
    /// CLOCK_MONOTONIC nanoseconds of begin.
    package var beganAt: Int64
    /// CLOCK_MONOTONIC nanoseconds of the callback, or of the attempt's end if there was none.
    package var endedAt: Int64
    package var result: RequestOutcome.Result
    /// The client's progress events in order.
    ///
    /// Nil if it is unknown whether the client can report any; empty if it can and reported none.
    package var progress: [ProgressSample]?
    /// Distinct body bytes of the request's packs that were delivered; nil if they cannot be distinguished.
    package var deliveries: [DeliverySample]?
    /// All bytes of the request's packs, which progress counts; nil if unknown.
    package var totalBytes: Int64?
    /// Those of the bytes that the client had before the request began (default: 0).
    package var heldBytes: Int64
    /// When the app paused the request, in CLOCK_MONOTONIC nanoseconds; no bytes are expected then.
    package var pauses: [ClosedRange<Int64>]

    package init(
        id: String,
        beganAt: Int64,
        endedAt: Int64,
        result: RequestOutcome.Result,
        progress: [ProgressSample]? = nil,
        deliveries: [DeliverySample]? = nil,
        totalBytes: Int64? = nil,
        heldBytes: Int64 = 0,
        pauses: [ClosedRange<Int64>] = []
    ) {
        self.id = id
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.result = result
        self.progress = progress
        self.deliveries = deliveries
        self.totalBytes = totalBytes
        self.heldBytes = heldBytes
        self.pauses = pauses
    }
}
