/// How a backend does what a profile asks of a link.
package enum LinkAbility: Sendable, Equatable {
    /// It happens to real packets.
    case packets
    /// It is what a model of TCP makes of it.
    case modelled
    /// It cannot be had, with why, as a clause; nil where the whole backend cannot be used.
    case no(String?)

    /// As JSON has it.
    package var name: String {
        switch self {
        case .packets: "packet"
        case .modelled: "modelled"
        case .no: "no"
        }
    }

    /// Why it cannot be had; nil where it can, and where the whole backend cannot be used.
    package var reason: String? {
        if case .no(let reason) = self { reason } else { nil }
    }
}
