/// What may put a link in force.
package enum LinkFidelity: String, CaseIterable, Sendable {
    /// Streams are shaped, and loss is the stall that a retransmission costs.
    case modelled
    /// Packets are shaped.
    case packet
    /// Either, which a result says.
    case any
}
