/// Body bytes that the link had handed to the client's end by a moment, counted from the attempt's start.
package struct DeliverySample: Hashable, Sendable {
    /// CLOCK_MONOTONIC nanoseconds.
    package var at: Int64
    package var totalBytes: Int64

    package init(at: Int64, totalBytes: Int64) {
        self.at = at
        self.totalBytes = totalBytes
    }
}

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

/// One HTTP request for a pack, as the host saw it.
package struct RequestSample: Hashable, Sendable {
    /// CLOCK_MONOTONIC nanoseconds of the request's head.
    package var at: Int64
    package var pack: String
    /// The first byte of the answer's body within the pack.
    package var from: Int64
    /// Body bytes of the answer that reached the client.
    package var length: Int64
    /// The answer's status; nil where none was sent.
    package var status: Int?
    /// Whether the whole body of the answer was sent.
    package var isComplete: Bool

    package init(at: Int64, pack: String, from: Int64 = 0, length: Int64, status: Int?, isComplete: Bool = true) {
        self.at = at
        self.pack = pack
        self.from = from
        self.length = length
        self.status = status
        self.isComplete = isComplete
    }

    /// Whether a client has reason to ask again.
    ///
    /// A redirect and "not modified" are answers.
    package var hasFailed: Bool { !isComplete || status.map { $0 >= 400 } ?? true }
}

/// What was seen of one request of the workload, for time and progress.
package struct RequestObservation: Hashable, Sendable {
    package var id: String
    /// CLOCK_MONOTONIC nanoseconds of begin.
    package var beganAt: Int64
    /// CLOCK_MONOTONIC nanoseconds of the callback, or of the end of the attempt where there was none.
    package var endedAt: Int64
    package var result: RequestOutcome.Result
    /// The client's progress events in order; nil where the client has no way to tell any, empty where it told none.
    package var progress: [ProgressSample]?
    /// Distinct body bytes of the request's packs that were delivered; nil where they cannot be told apart.
    package var deliveries: [DeliverySample]?
    /// All bytes of the request's packs, which progress counts; nil where unknown.
    package var totalBytes: Int64?
    /// Those of them that the client had before the request began.
    package var heldBytes: Int64

    package init(
        id: String,
        beganAt: Int64,
        endedAt: Int64,
        result: RequestOutcome.Result,
        progress: [ProgressSample]? = nil,
        deliveries: [DeliverySample]? = nil,
        totalBytes: Int64? = nil,
        heldBytes: Int64 = 0
    ) {
        self.id = id
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.result = result
        self.progress = progress
        self.deliveries = deliveries
        self.totalBytes = totalBytes
        self.heldBytes = heldBytes
    }
}

/// Everything that was seen in one attempt, from which its samples are computed.
///
/// What nobody looked at is nil; what was looked at and did not happen is an empty list.
package struct Observations: Hashable, Sendable {
    package var requests: [RequestObservation]
    /// HTTP requests for packs, in order of arrival at the host.
    package var fetches: [RequestSample]?
    /// Body bytes of packs that the link handed to the client, all requests together.
    package var deliveries: [DeliverySample]?
    /// The link's counters of both directions together.
    package var wireBytes: Int64?
    package var diskPeakBytes: Int64?
    package var memoryPeakBytes: Int64?
    package var cpuSeconds: Double?

    package init(
        requests: [RequestObservation],
        fetches: [RequestSample]? = nil,
        deliveries: [DeliverySample]? = nil,
        wireBytes: Int64? = nil,
        diskPeakBytes: Int64? = nil,
        memoryPeakBytes: Int64? = nil,
        cpuSeconds: Double? = nil
    ) {
        self.requests = requests
        self.fetches = fetches
        self.deliveries = deliveries
        self.wireBytes = wireBytes
        self.diskPeakBytes = diskPeakBytes
        self.memoryPeakBytes = memoryPeakBytes
        self.cpuSeconds = cpuSeconds
    }
}
