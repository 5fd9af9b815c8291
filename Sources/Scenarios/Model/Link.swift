package import LinkModel

/// The link of a cell.
package struct Link: Hashable, Sendable {
    package typealias Fidelity = LinkFidelity

    /// The profile, with what the scenario changes about it.
    package var profile: Profile
    /// What random decisions are keyed with.
    package var seed: UInt64
    package var fidelity: Fidelity
}
