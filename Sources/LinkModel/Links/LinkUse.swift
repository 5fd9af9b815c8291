/// What has crossed a link since it came up.
package struct LinkUse: Sendable, Hashable {
    /// Payload bytes that have arrived at clients and at hosts.
    package var payload = PerDirection<Int64>(both: 0)
    /// The counters of the model, headers and retransmissions included.
    package var model = LinkCounters(both: DirectionCounters())
    /// Connections so far; on a link of packets, flows of any protocol except what kernels send to all of their
    /// neighbours.
    package var connections = 0
    /// Connections that were refused.
    package var refusedConnections = 0
    /// Whether pings were sent, and none was answered.
    package var hasUnansweredPings = false
    /// Payload bytes that reached the client, by connection; empty if the events report all of them.
    package var delivered: [Int: Int64] = [:]
    /// Events that were dropped because they were not read in time.
    package var droppedEvents = 0
    /// Payload bytes over time, counted independently of the model.
    package var meter: [MeterSample<PerDirection<Int64>>] = []
    /// Why its capture ends early, as a sentence; nil if it does not, or there is none.
    package var captureFailure: String?
    /// Packets that its capture lacks.
    package var uncapturedPackets = 0
    /// The decisions about packets; nil if the backend does not report them.
    package var record: FaultRecord?
    /// Packets that crossed the link unseen.
    package var unseenPackets = 0
    /// Whether the measured loss can be compared with the loss of the profile.
    package var isLossKnown = true

    package init() {}

    /// What the capture lacks, as a sentence; nil if it lacks nothing, or there is none.
    package var captureTrouble: String? {
        if let captureFailure { return "the capture is incomplete: \(captureFailure)" }
        guard uncapturedPackets > 0 else { return nil }
        return "the capture lacks \(uncapturedPackets) packets, because it ran out of room or time"
    }
}
