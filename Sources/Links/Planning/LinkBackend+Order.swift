package import LinkModel

extension LinkBackend {
    /// The backends that `auto` tries for a link, in their order: the first that can be had, and can do what is asked of the link, is taken.
    ///
    /// Those of other fidelities than the one that is named are left out.
    package static func order(for profile: Profile, fidelity: LinkFidelity) -> [LinkBackend] {
        let order: [LinkBackend] = profile.isFast ? [.kernel, .packet, .proxy] : [.packet, .kernel, .proxy]
        return order.filter { fidelity == .any || $0.fidelity == fidelity }
    }

    /// What is said of a fast link for which packets are moved, as the kernel's queues cannot be it for this reason.
    package static func slowPackets(_ refusal: String) -> String {
        "the packet backend may be too slow here for a rate above \(Profile.fastestForPackets); "
            + "the kernel's queues cannot be used: \(refusal)"
    }
}

extension Profile {
    /// Rates above which the kernel's queues are better than a loop that moves packets.
    static let fastestForPackets = BitRate(bitsPerSecond: 500_000_000)

    /// Whether it has such a rate at some time.
    fileprivate var isFast: Bool {
        ([conditions] + changes.map(\.conditions)).contains { conditions in
            Direction.allCases.contains {
                (conditions[$0].rate?.bitsPerSecond ?? 0) > Self.fastestForPackets.bitsPerSecond
            }
        }
    }
}
