package import LinkModel

/// What has crossed a ``PacketLink`` since it came up.
package struct PacketLinkCounters: Sendable, Hashable {
    /// One flow that is known now.
    package struct Flow: Sendable, Hashable {
        package var ordinal: Int
        package var name: String
        package var key: FlowKey
        package var isClosed: Bool
        /// Payload that the client has: of TCP without gaps, and once.
        package var downlink: Int64
        /// Payload that the host has.
        package var uplink: Int64
    }

    /// What the model counts; packets of an unshaped direction included, which pass it by.
    ///
    /// The payload is what receivers have: of TCP without gaps, and once.
    package var link = LinkCounters()
    /// Packets and bytes of them that were delivered, in each direction.
    package var downlinkWire: Int64 = 0
    package var uplinkWire: Int64 = 0
    /// Packets that are none of IPv4 or IPv6, or shorter than they say; they pass.
    package var malformedPackets = 0
    /// Packets larger than the MTU, which were answered where that is allowed, and dropped.
    package var tooBigPackets = 0
    /// Packets dropped because the memory of the link was used up, or too many queries were held.
    package var overflowedPackets = 0
    /// Packets that somebody else moved, and of which nothing was seen, because there were too many at once.
    package var missedPackets = 0
    /// Packets that the receiving device would not take.
    package var refusedPackets = 0
    /// Packets that the link sent itself, while it was offline or one was too large.
    package var replies = 0
    /// Flows so far.
    package var flows = 0
    /// What came of the capture, once the link is down.
    package var capture: PacketCapture.Outcome?
    /// Faults of the schedule that no packet has met yet.
    package var unmetFaults = 0
    /// Events that were not read in time, and that were not kept.
    package var droppedEvents = 0
    /// Goes up by one with each change of the conditions.
    package var generation = 0
    /// The flows that are known now, in order of first packets.
    package var known: [Flow] = []

    package init() {}
}
