package import LinkModel

/// The link of a cell.
package struct Link: Hashable, Sendable {
    /// What may put a link in force.
    package enum Fidelity: String, CaseIterable, Sendable {
        /// Streams are shaped, and loss is the stall that a retransmission costs.
        case modelled
        /// Packets are shaped.
        case packet
        /// Either, which a result says.
        case any
    }

    /// The profile, with what the scenario changes about it.
    package var profile: Profile
    /// What random decisions are keyed with.
    package var seed: UInt64
    package var fidelity: Fidelity
}
