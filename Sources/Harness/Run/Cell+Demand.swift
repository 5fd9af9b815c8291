import Evidence
import LinkModel
import Links
import Scenarios

extension Scenarios.Cell {
    /// The link of the cell, with all that is to become of it; `seed` keys its random decisions.
    func linkSetup(seed: UInt64) -> LinkSetup {
        LinkSetup(profile: link.profile, faults: linkFaults, seed: seed, schedule: schedule?.faults)
    }

    /// What the cell asks of its link; `authorities` are names and ports, besides the host's own, at which its packs are.
    ///
    /// `resolved` are names that have addresses whatever a resolver says.
    func demand(authorities: Set<PreparedContent.Authority>, resolved: [ResolvedName] = []) -> LinkDemand {
        var demand = LinkDemand(id, linkSetup(seed: link.seed), fidelity: link.fidelity)
        demand.whyNotInSandbox = whyNotInSandbox(authorities, resolved)
        demand.whyNotOnLoopback = whyNotOnLoopback
        if device.storage != nil {
            demand.loopbackNotes = [
                "the device's storage is the built-in client's own account, and no file system of its size"
            ]
        }
        return demand
    }

    /// Why the cell cannot be run over packets, whatever the machine; nil where it can.
    private func whyNotInSandbox(
        _ authorities: Set<PreparedContent.Authority>, _ resolved: [ResolvedName]
    ) -> String? {
        if case .host(let host) = content { return StagingWay(to: host, resolved).obstacle }
        if let address = authorities.first(where: { !$0.isName }) {
            return "its manifest names '\(address.host)', and a sandbox leads names to its host, but no addresses"
        }
        if authorities.contains(where: { $0.port == Self.resolverPort }) {
            return "its manifest names port \(Self.resolverPort), at which a sandbox has its resolver"
        }
        return nil
    }

    private static let resolverPort = 53

    /// Why the cell cannot be run by a proxy; nil where it can.
    private var whyNotOnLoopback: String? {
        if addresses != .usual {
            return "which of a host's 'addresses' is taken is the client's choice in a sandbox alone"
        }
        guard device.storage != nil, case .command = workload else { return nil }
        return "'storage' of its device is a file system of its own, and only a sandbox has one for a command"
    }
}

extension PreparedContent.Authority {
    /// Whether a resolver is asked for it: no address, and not this machine's own name.
    fileprivate var isName: Bool {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return !isAddress && host != "localhost" && !host.hasSuffix(".localhost")
    }
}
