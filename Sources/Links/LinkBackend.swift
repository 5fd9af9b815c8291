package import LinkModel

/// The kinds of links, in the order of preference.
///
/// To add one, add a case here, and a ``LinkProvider`` for it: commands, plans, calibration and the doctor's table
/// follow.
package enum LinkBackend: String, Sendable, CaseIterable {
    /// A loop that moves packets between two networks of a sandbox.
    case packet
    /// The kernel's own queues, in a router between two networks of a sandbox.
    case kernel
    /// A proxy that shapes streams.
    case proxy

    /// The implementation and the properties of the backend.
    package var provider: any LinkProvider {
        switch self {
        case .packet: PacketBackend()
        case .kernel: KernelBackend()
        case .proxy: ProxyBackend()
        }
    }

    /// What its links shape: packets, or streams by a model.
    package var fidelity: LinkFidelity { provider.fidelity }

    /// Whether host and client are in networks of a sandbox.
    package var isInSandbox: Bool { provider.sandbox != nil }
}
