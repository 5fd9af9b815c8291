/// How much may wait in front of a direction's rate; what exceeds it is dropped at the tail.
package enum QueueLimit: Hashable, Sendable {
    case bytes(ByteCount)
    /// Packets of any size.
    case packets(Int)
}
