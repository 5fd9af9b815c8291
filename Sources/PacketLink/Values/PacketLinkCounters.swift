package import LinkModel

/// The traffic of a ``PacketLink`` since it came up.
package struct PacketLinkCounters: Sendable, Hashable {
    /// One flow that is known now.
    package struct Flow: Sendable, Hashable {
        package var ordinal: Int
        package var name: String
        package var key: FlowKey
        package var isClosed: Bool
        /// Payload bytes that the client has; of TCP those without gaps, and once.
        package var downlink: Int64
        /// Payload bytes that the host has; of TCP those without gaps, and once.
        package var uplink: Int64
    }

    /// The model's counters, plus the packets of unshaped directions, which bypass the model.
    ///
    /// Payload bytes are those that receivers have; of TCP those without gaps, and once.
    package var link = LinkCounters(both: DirectionCounters())
    /// Bytes of the IP packets that were delivered, in each direction.
    package var wire = PerDirection<Int64>(both: 0)
    /// Packets that are neither IPv4 nor IPv6, or shorter than their header says; they pass.
    package var malformedPackets = 0
    /// Packets that were dropped because they are larger than the MTU; they were answered if that is allowed.
    package var tooBigPackets = 0
    /// Packets dropped because the memory of the link was used up, or too many queries were held.
    package var overflowedPackets = 0
    /// Packets that another component moved and that were not seen, because there were too many at once.
    package var missedPackets = 0
    /// The number of flows so far.
    package var flows = 0
    /// The outcome of the capture; nil while the link is up, or without a capture.
    package var capture: PacketCapture.Outcome?
    /// Events that were dropped because they were not read in time.
    package var droppedEvents = 0
    /// The flows that are known now, in order of first packets.
    package var known: [Flow] = []
}
