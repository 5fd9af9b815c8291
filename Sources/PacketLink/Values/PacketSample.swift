package import LinkModel

/// Bytes that had been delivered by a moment, in each direction, of all flows.
package struct PacketSample: Sendable, Hashable {
    /// On CLOCK_MONOTONIC.
    package var at: Instant
    /// Bytes of IP packets.
    package var downlinkWire: Int64
    package var uplinkWire: Int64
    /// Payload that receivers have, but for lookups of names: of TCP without gaps, and once.
    package var downlinkPayload: Int64
    package var uplinkPayload: Int64

    package init(
        at: Instant, downlinkWire: Int64, uplinkWire: Int64, downlinkPayload: Int64, uplinkPayload: Int64
    ) {
        self.at = at
        self.downlinkWire = downlinkWire
        self.uplinkWire = uplinkWire
        self.downlinkPayload = downlinkPayload
        self.uplinkPayload = uplinkPayload
    }
}
