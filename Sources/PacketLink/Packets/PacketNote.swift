/// What the link knows of a packet in a slot of its slab.
struct PacketNote: BitwiseCopyable {
    /// Bytes of the packet, as it was read.
    var length: Int32 = 0
    /// How often it will still be delivered.
    var references: Int32 = 1
    /// Where its payload starts, and how long it is.
    var payloadOffset: Int32 = 0
    var payloadCount: Int32 = 0
    /// Which flow it belongs to; −1: none.
    ///
    /// The generation tells whether that is still the same one.
    var flow: Int32 = -1
    var generation: UInt32 = 0
    /// The next free slot.
    var next: Int32 = -1
    /// Sent by the link itself; no offline kind takes it.
    var isReply = false
    var isReset = false
    /// Where its payload ends on the byte line of its sender; −1 where there is none.
    var end: Int64 = -1
    /// Up to where it acknowledges the byte line of its receiver; −1 where it does not.
    var acknowledged: Int64 = -1
}
