/// What has happened in one direction of a link since it came up.
package struct DirectionCounters: Sendable, Hashable {
    package var offeredPackets = 0
    /// Taken by the loss process.
    package var lostPackets = 0
    /// Refused or dropped for want of room.
    package var droppedPackets = 0
    /// Refused or dropped because the link was offline.
    package var offlinePackets = 0
    /// Transmitted, in packets and in bytes on the wire.
    package var sentPackets = 0
    package var wireBytes: Int64 = 0
    package var deliveredPackets = 0

    package init() {}
}
