import Evidence
import LinkModel
import Links
import Scenarios

extension Scenarios.Cell {
    /// The link of the cell with its faults; `seed` is the seed of its random decisions.
    func linkSetup(seed: UInt64) -> LinkSetup {
        LinkSetup(profile: link.profile, faults: linkFaults, seed: seed, schedule: schedule?.faults)
    }

    /// The requirements of the cell on its link.
    ///
    /// `authorities` are the names and ports of its packs, besides the host's own. `resolved` are names with fixed
    /// addresses, which no resolver is asked for.
    func demand(authorities: Set<PreparedContent.Authority>, resolved: [ResolvedName] = []) -> LinkDemand {
        var demand = LinkDemand(id, linkSetup(seed: link.seed), fidelity: link.fidelity)
        demand.whyNotInSandbox = whyNotInSandbox(authorities, resolved)
        demand.whyNotOnLoopback = whyNotOnLoopback
        if device.storage != nil {
            demand.loopbackNotes = [
                "the built-in client counts the device's storage itself: no file system limits it"
            ]
        }
        return demand
    }

    /// Why the cell cannot run over packets on any machine; nil if it can.
    private func whyNotInSandbox(
        _ authorities: Set<PreparedContent.Authority>, _ resolved: [ResolvedName]
    ) -> String? {
        if case .host(let host) = content { return StagingWay(to: host, resolved).obstacle }
        if let address = authorities.first(where: { !$0.isName }) {
            return
                "its manifest names '\(address.host)', and a sandbox resolves names to its host, but cannot redirect addresses"
        }
        if authorities.contains(where: { $0.port == Self.resolverPort }) {
            return "its manifest names port \(Self.resolverPort), which a sandbox's resolver uses"
        }
        return nil
    }

    private static let resolverPort = 53

    /// Why the cell cannot run over a proxy; nil if it can.
    private var whyNotOnLoopback: String? {
        if addresses != .usual {
            return "a client can choose among a host's 'addresses' only in a sandbox"
        }
        if fillsDevice { return "only a sandbox has a file system of the client's that can become full" }
        guard device.storage != nil, !workload.isBuiltIn else { return nil }
        return "for a command, its device's 'storage' needs a file system that only a sandbox has"
    }
}

extension PreparedContent.Authority {
    /// Whether a resolver is asked for the host: it is not an address, nor a name of this machine.
    fileprivate var isName: Bool {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return !isAddress && host != "localhost" && !host.hasSuffix(".localhost")
    }
}
