/// A decision that had an effect on a packet, as a ``PacketPipe`` knows it: the stream by its number.
package struct PacketDecision: Hashable, Sendable {
    package var at: Instant
    package var stream: UInt64
    package var kind: PacketKind
    /// Where it stands on the byte line: of a drop the slot, of a packet without data its number.
    package var bytes: Range<Int64>
    /// 1 for the first time that these bytes were sent.
    package var transmission: Int
    package var effect: PacketEffect
}
