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
