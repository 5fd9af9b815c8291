/// What shaped the link of a cell.
package struct LinkFacts: Hashable, Sendable, Codable {
    /// The profile's name.
    package var profile: String
    /// `kernel`, `packet` or `proxy`.
    package var backend: String
    /// Why that backend was chosen, in a few words; nil if the scenario names it.
    package var reason: String?
    /// `packet`, or `modelled` if loss is imitated on a stream.
    package var fidelity: String
    /// The fidelity that the scenario names; nil for any.
    package var fidelityAsked: String?
    /// The congestion control of the host's connections; nil if it could not be read.
    package var congestionControl: String?
    /// Whether Headwind set that congestion control, rather than found it.
    package var isCongestionControlPinned = false

    private enum CodingKeys: String, SnakeCaseKey {
        case profile, backend, reason, fidelity, fidelityAsked, congestionControl
        case isCongestionControlPinned = "congestion_control_pinned"
    }
}

extension LinkFacts {
    /// A link of which nothing else is known.
    package init(profile: String, backend: String, fidelity: String) {
        self.init(profile: profile, backend: backend, reason: nil, fidelity: fidelity)
    }
}
