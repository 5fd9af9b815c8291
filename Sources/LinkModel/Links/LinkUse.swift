/// What has crossed a link since it came up.
package struct LinkUse: Sendable, Hashable {
    /// Payload bytes that have arrived at clients and at hosts.
    package var payload = PerDirection<Int64>(both: 0)
    /// What the model did, with headers and retransmissions.
    package var model = LinkCounters()
    /// Connections so far: of packets, flows of any protocol but for what kernels say to all of their neighbours.
    package var connections = 0
    /// Connections that were turned away.
    package var refusedConnections = 0
    /// Whether pings went out, and none was answered.
    package var hasUnansweredPings = false
    /// Payload bytes that reached the client, by connection; empty where the events say it all.
    package var delivered: [Int: Int64] = [:]
    /// Events that were not read in time, and that were not kept.
    package var droppedEvents = 0
    /// Payload bytes over time, counted apart from the model.
    package var meter: [MeterSample<PerDirection<Int64>>] = []
    /// Why a capture of it ends early, as a sentence; nil where it does not, or there is none.
    package var captureFailure: String?
    /// Packets that a capture of it lacks.
    package var uncapturedPackets = 0
    /// What it decided about packets; nil of a backend that does not tell.
    package var record: FaultRecord?
    /// Packets that crossed it, and of which nothing was seen.
    package var unseenPackets = 0
    /// Whether what it lost can be set against what its profile says.
    package var isLossKnown = true

    package init() {}

    /// What a capture lacks, as a sentence; nil where it lacks nothing, or there is none.
    package var captureTrouble: String? {
        if let captureFailure { return "the capture is incomplete: \(captureFailure)" }
        guard uncapturedPackets > 0 else { return nil }
        return "the capture lacks \(uncapturedPackets) packets, because it ran out of room or time"
    }
}
