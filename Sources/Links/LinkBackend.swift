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

    /// The backends that `auto` tries for a link, in their order.
    ///
    /// It takes the first that is available and can provide the link. Backends of another fidelity than `fidelity` are
    /// left out.
    package static func order(for profile: Profile, fidelity: LinkFidelity) -> [LinkBackend] {
        let order: [LinkBackend] = profile.isFast ? [.kernel, .packet, .proxy] : [.packet, .kernel, .proxy]
        return order.filter { fidelity == .any || $0.fidelity == fidelity }
    }

    /// The note on a fast link that uses the packet backend, because the kernel's queues refuse it.
    package static func slowPackets(_ refusal: String) -> String {
        "the packet backend may be too slow here for a rate above \(Profile.fastestForPackets); "
            + "the kernel's queues cannot be used: \(refusal)"
    }
}

extension Profile {
    /// 500 Mbit/s: above this rate the kernel's queues are better than a loop that moves packets.
    static let fastestForPackets = BitRate(bitsPerSecond: 500_000_000)

    /// Whether its rate is ever above ``fastestForPackets``.
    fileprivate var isFast: Bool {
        allConditions.contains { conditions in
            Direction.allCases.contains {
                (conditions[$0].rate?.bitsPerSecond ?? 0) > Self.fastestForPackets.bitsPerSecond
            }
        }
    }
}
