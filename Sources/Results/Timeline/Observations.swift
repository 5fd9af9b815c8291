/// All observations of one attempt, from which its samples are computed.
///
/// What was not observed is nil; what was looked for and did not happen is an empty list.
package struct Observations: Hashable, Sendable {
    package var requests: [RequestObservation]
    /// HTTP requests for packs, in order of arrival at the host.
    package var fetches: [RequestSample]?
    /// Connections that the host accepted.
    package var connections: Int64?
    /// When the heads of the host's answers, of any status, reached the client: CLOCK_MONOTONIC nanoseconds, in order.
    package var answers: [Int64]?
    /// When the client's connections and lookups reached the link: CLOCK_MONOTONIC nanoseconds, in order.
    package var flows: [Int64]?
    /// Body bytes of packs that the link handed to the client, all requests together.
    package var deliveries: [DeliverySample]?
    /// The bytes that the link counted, both directions together.
    package var wireBytes: Int64?
    package var diskPeakBytes: Int64?
    /// Bytes that the client purged beyond what was needed.
    package var overpurgedBytes: Int64?
    package var memoryPeakBytes: Int64?
    package var cpuSeconds: Double?
    package var life = LifeObservation()
}

extension Observations {
    /// Observations of requests alone; everything else is unknown.
    package init(requests: [RequestObservation]) { self.requests = requests }

    /// The time from the first begin to the first connection or lookup; never came if there was none.
    var timeToFirstPacket: Sample { time(toFirstOf: flows) }

    /// The time from the first begin to the first head of an answer; never came if there was none.
    var timeToFirstResponse: Sample { time(toFirstOf: answers) }

    private func time(toFirstOf moments: [Int64]?) -> Sample {
        guard let moments, let start else { return .unknown }
        return moments.first { $0 >= start }.map { .value(Self.seconds(from: start, to: $0)) } ?? .neverCame
    }
}

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

/// One HTTP request for a pack, as the host saw it.
package struct RequestSample: Hashable, Sendable {
    /// CLOCK_MONOTONIC nanoseconds of the request's head.
    package var at: Int64
    package var pack: String
    /// The first byte of the answer's body within the pack.
    package var from: Int64
    /// Body bytes of the answer that reached the client.
    package var length: Int64
    /// The answer's status; nil if none was sent.
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
    /// A redirect or "not modified" is no failure.
    package var hasFailed: Bool { !isComplete || status.map { $0 >= 400 } ?? true }
}

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

/// An app's observed use of its resources.
package struct LifeObservation: Hashable, Sendable {
    /// The nanoseconds that each use waited, nil for one whose resources never came; nil if nothing is used.
    package var waits: [Int64?]?
    /// Bytes that came and were of no use; nil if nothing is used.
    package var wastedBytes: Int64?
    /// Bytes that came by each radio; nil if unknown.
    package var wifiBytes: Int64?
    package var cellularBytes: Int64?

    package init(
        waits: [Int64?]? = nil, wastedBytes: Int64? = nil, wifiBytes: Int64? = nil, cellularBytes: Int64? = nil
    ) {
        self.waits = waits
        self.wastedBytes = wastedBytes
        self.wifiBytes = wifiBytes
        self.cellularBytes = cellularBytes
    }

    /// The longest wait; never came if some resources never did.
    var longestWait: Sample { wait { $0.max() } }

    /// All waits together.
    var totalWait: Sample { wait { $0.reduce(0, +) } }

    private func wait(_ statistic: ([Double]) -> Double?) -> Sample {
        guard let waits, !waits.isEmpty else { return .unknown }
        let known = waits.compactMap { $0.map { Double($0) / 1e9 } }
        guard known.count == waits.count else { return .neverCame }
        return statistic(known).map(Sample.value) ?? .unknown
    }
}

/// The share of a request's bytes that had arrived by a moment.
package struct ArrivedShares {
    private let deliveries: [DeliverySample]
    private let held: Double
    private let total: Double

    /// Nil if the bytes that arrived for it, or its size, are unknown.
    package init?(_ request: RequestObservation) {
        guard let deliveries = request.deliveries, let total = request.totalBytes, total > 0 else { return nil }
        self.deliveries = deliveries
        self.total = Double(total)
        held = Double(request.heldBytes)
    }

    /// The share by a moment, in CLOCK_MONOTONIC nanoseconds: 1 is all.
    package func share(at moment: Int64) -> Double {
        var (low, high) = (0, deliveries.count)
        while low < high {
            let middle = (low + high) / 2
            if deliveries[middle].at <= moment { low = middle + 1 } else { high = middle }
        }
        return (held + (low > 0 ? Double(deliveries[low - 1].totalBytes) : 0)) / total
    }
}
