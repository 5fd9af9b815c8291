import LinkModel

/// Something that happened on a link, whatever backend carries it.
struct LinkEvent: Sendable, Hashable {
    /// On CLOCK_MONOTONIC.
    var at: Instant
    /// Which connection, counted from 1; 0: the link itself.
    var connection: Int
    var kind: Kind

    enum Kind: Sendable, Hashable {
        /// A client wants to go somewhere: how it came in, where to, and what random decisions are keyed by.
        case opened(door: String, target: String, key: String)
        /// The first packet of a flow: the protocol's number, where to, what random decisions are keyed by, and the client's
        /// port, which the host sees.
        case flow(protocol: UInt8, target: String, key: String, port: Int)
        /// The first request names the connection; random decisions follow this key from here on.
        case keyed(String)
        /// The handshake is done.
        case connected
        /// The client was turned away.
        case refused(String)
        /// The host sees the connection come from this port.
        case hostSide(port: Int)
        /// So many payload bytes of this connection have been delivered so far.
        case delivered(Direction, total: Int64)
        /// The connection is gone.
        case closed(downlink: Int64, uplink: Int64, cause: String)
        /// These conditions hold from now on.
        case conditions(LinkConditions, generation: Int)
        /// A decision went against a part of the traffic: a line of the fault schedule.
        case decision(line: String)
    }
}

/// What has crossed a link, as the harness judges it.
struct LinkUse: Sendable, Hashable {
    /// Payload bytes that have arrived at clients and at hosts.
    var payload = PerDirection<Int64>(both: 0)
    /// What the model did, with headers and retransmissions.
    var model = LinkCounters()
    /// Payload bytes that reached the client, by connection; empty where the events say it all.
    var delivered: [Int: Int64] = [:]
    /// Events that nobody read in time, and that were not kept.
    var droppedEvents = 0
    /// Payload bytes over time, counted apart from the model.
    var meter: [MeterSample<PerDirection<Int64>>] = []
    /// What a capture of it lacks, as a sentence; nil where it lacks nothing, or there is none.
    var captureTrouble: String?
    /// What it decided about packets; nil of a backend that does not tell.
    var record: FaultRecord?
    /// Packets that crossed it, and of which nothing was seen.
    var unseenPackets = 0
    /// Whether what it lost can be set against what its profile says.
    var isLossKnown = true
}
