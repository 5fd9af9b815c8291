/// What a fault does to a packet.
package enum PacketEffect: Hashable, Sendable {
    /// It never arrives.
    case drop
    /// It arrives so much later; others do not wait for it.
    case delay(Duration)
    /// It arrives twice.
    case duplicate
    /// One bit of it is flipped, at this share of its length: 0 or more and below 1.
    case corrupt(at: Double)
    /// It skips the delay, and so overtakes those before it.
    case reorder
    /// Its connection ends there: reset towards both ends.
    case cut
}
