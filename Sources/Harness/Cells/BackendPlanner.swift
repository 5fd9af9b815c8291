import KernelLink
import LinkModel
import Scenarios
import Testbed

/// Chooses what puts links there: a fidelity that a scenario names is never swapped for another.
struct BackendPlanner: Sendable {
    let choice: BackendChoice
    /// Whether this machine can have packets moved between two networks; nil where nobody asked.
    let capability: SandboxCapability?
    /// What its kernel can be; nil where nobody asked.
    var kernelCapability: KernelCapability?
    /// Whether packets are to be recorded.
    var isCapturing = false

    /// The plan for a cell; `authorities` are names and ports, besides the host's own, at which its packs are.
    func plan(for cell: Scenarios.Cell, authorities: Set<PreparedContent.Authority>) -> BackendPlan {
        switch (cell.link.fidelity, choice) {
        case (.modelled, _): proxy(for: cell, reason: nil)
        case (.any, .proxy): proxy(for: cell, reason: "--backend proxy")
        case (.packet, .kernel), (.any, .kernel):
            kernel(for: cell, authorities, asked: "'--backend kernel' is asked for", reason: "--backend kernel")
        case (.any, .packet):
            packets(for: cell, authorities, asked: "'--backend packet' is asked for", reason: "--backend packet")
        case (.packet, .packet), (.packet, .proxy):
            packets(for: cell, authorities, asked: "'\(cell.id)' asks for 'fidelity: packet'", reason: nil)
        case (.packet, .auto), (.any, .auto): first(for: cell, authorities)
        }
    }

    /// The first that can express the whole cell here: packets, the kernel, the proxy; the kernel before packets where a link
    /// is faster than those are moved.
    private func first(for cell: Scenarios.Cell, _ authorities: Set<PreparedContent.Authority>) -> BackendPlan {
        let isNamed = cell.link.fidelity == .packet
        let asked = isNamed ? "'\(cell.id)' asks for 'fidelity: packet'" : "'\(cell.id)' needs packets"
        var packets = packets(
            for: cell, authorities, asked: asked, reason: isNamed ? nil : "auto: the first that can be had here")
        guard packets.obstacle != nil || cell.link.profile.isFast else { return packets }
        let why =
            packets.obstacle == nil
            ? "auto: the kernel's queues, for a rate above \(Profile.fastestForPackets)"
            : "auto: the kernel's queues, as packets cannot be moved here. \(self.why(cell, authorities))"
        let kernel = kernel(for: cell, authorities, asked: asked, reason: why)
        if kernel.obstacle == nil, !isCapturing { return kernel }
        if packets.obstacle == nil {
            let reason = kernel.obstacle?.whyNotByKernel ?? "packets are recorded"
            packets.notes.append(
                "a rate above \(Profile.fastestForPackets) may be more than packets can be moved at here; "
                    + "the kernel's queues are not the link: \(reason)")
        }
        if packets.obstacle == nil || isNamed { return packets }
        let missing = self.why(cell, authorities)
        var proxy = proxy(for: cell, reason: "auto: packets cannot be had. \(missing)")
        proxy.shortfall = missing
        // Where neither can be had, it is the first one that the user is to be helped to.
        return proxy.obstacle == nil ? proxy : packets
    }

    /// Why packets cannot be moved for a cell.
    private func why(_ cell: Scenarios.Cell, _ authorities: Set<PreparedContent.Authority>) -> String {
        cell.whyNotInSandbox(authorities).map { "'\(cell.id)' cannot be run over packets: \($0)." } ?? refusal ?? ""
    }

    private func packets(
        for cell: Scenarios.Cell, _ authorities: Set<PreparedContent.Authority>, asked: String, reason: String?
    ) -> BackendPlan {
        var plan = BackendPlan(backend: .packet, reason: reason)
        if let why = cell.whyNotInSandbox(authorities) {
            plan.obstacle = .notInSandbox(cell: cell.id, why)
        } else if let refusal {
            plan.obstacle = .noPackets(asked: asked, refusal)
        } else if case .available(let notes)? = capability {
            plan.notes = notes.map(\.description)
        }
        return plan
    }

    private func kernel(
        for cell: Scenarios.Cell, _ authorities: Set<PreparedContent.Authority>, asked: String, reason: String?
    ) -> BackendPlan {
        var plan = BackendPlan(backend: .kernel, reason: reason)
        let setup = LinkSetup(profile: cell.link.profile, faults: cell.linkFaults)
        var obstacles = KernelObstacles.find(in: setup)
        if cell.schedule != nil {
            obstacles.append("the schedule (its queues know no packet by its name, and play no list)")
        }
        if isCapturing { obstacles.append("'--capture' (it does not tell which packets it dropped, and why)") }
        if let why = cell.whyNotInSandbox(authorities) {
            plan.obstacle = .notInSandbox(cell: cell.id, why)
        } else if !obstacles.isEmpty {
            plan.obstacle = .notByKernel(cell: cell.id, obstacles)
        } else if let refusal = kernelCapability?.refusal(of: setup) {
            plan.obstacle = .noKernel(asked: asked, refusal)
        } else if case .available(let notes)? = kernelCapability?.sandbox {
            plan.notes = notes.map(\.description)
            if !setup.isCertain {
                plan.notes.append(
                    "what was lost cannot be had again: the kernel's queues do not tell packets apart, and a failure leaves "
                        + "no bundle")
            }
        }
        return plan
    }

    private func proxy(for cell: Scenarios.Cell, reason: String?) -> BackendPlan {
        var plan = BackendPlan(
            backend: .proxy, reason: reason, obstacle: cell.whyNotByProxy.map { .notByProxy(cell: cell.id, $0) })
        if cell.device.storage != nil {
            plan.notes.append(
                "the device's storage is the built-in client's own account, and no file system of its size")
        }
        return plan
    }

    /// Why this machine cannot have packets, in the words of every command; nil where it can.
    private var refusal: String? {
        switch capability {
        case .refused(let refusal): refusal.description
        case .failed(let error): error.description
        case .available, nil: nil
        }
    }
}

extension Scenarios.Cell {
    /// Why the cell cannot be run over packets, whatever the machine; nil where it can.
    func whyNotInSandbox(_ authorities: Set<PreparedContent.Authority>) -> String? {
        if case .host = content { return "its host is somebody else's, and no way leads there out of a sandbox" }
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
    var whyNotByProxy: String? {
        if case .network(let forwards) = content, !forwards.isEmpty {
            return "it forwards ports of this machine, whose loopback a program behind a proxy has itself"
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

extension HarnessError {
    /// What keeps the kernel's queues from being a link; nil where it is something else.
    fileprivate var whyNotByKernel: String? {
        switch self {
        case .notByKernel(_, let obstacles): obstacles.joined(separator: "; ")
        case .noKernel(_, let refusal): refusal
        case .notInSandbox(_, let why): why
        default: nil
        }
    }
}
