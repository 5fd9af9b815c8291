package import LinkModel

/// Chooses the backend of links; it never replaces a requested fidelity by another.
package struct BackendPlanner: Sendable {
    /// The requested backend; nil: the first that works here and can provide the link.
    let choice: LinkBackend?
    let machine: LinkMachine
    /// Whether packets must be recorded.
    var isCapturing = false

    /// The plan for a link.
    package func plan(for demand: LinkDemand) -> BackendPlan {
        switch (demand.fidelity, choice) {
        case (.modelled, let choice):
            plan(choice?.fidelity == .modelled ? choice ?? .proxy : .proxy, for: demand, asked: "", reason: nil)
        case (.packet, nil), (.any, nil): first(for: demand)
        case (.packet, let choice?) where choice == .packet || choice.fidelity != .packet:
            plan(.packet, for: demand, asked: "'\(demand.name)' asks for 'fidelity: packet'", reason: nil)
        case (.packet, let choice?), (.any, let choice?):
            plan(
                choice, for: demand, asked: "you chose '--backend \(choice.rawValue)'",
                reason: "--backend \(choice.rawValue)")
        }
    }

    /// The plan with the first backend of ``LinkBackend/order(for:fidelity:)`` that can provide the link here.
    ///
    /// If none can, it plans packets, so that the error helps the user to get them.
    private func first(for demand: LinkDemand) -> BackendPlan {
        let isNamed = demand.fidelity == .packet
        let asked = isNamed ? "'\(demand.name)' asks for 'fidelity: packet'" : "'\(demand.name)' needs packets"
        var packets = plan(
            .packet, for: demand, asked: asked, reason: isNamed ? nil : "auto: the first that works here")
        for backend in LinkBackend.order(for: demand.setup.profile, fidelity: demand.fidelity) {
            switch backend {
            case .packet:
                if packets.obstacle == nil { return packets }
            case .kernel:
                let reason =
                    packets.obstacle == nil
                    ? "auto: the kernel's queues, for a rate above \(Profile.fastestForPackets)"
                    : "auto: the kernel's queues, because the packet backend cannot be used. \(why(demand))"
                let kernel = plan(.kernel, for: demand, asked: asked, reason: reason)
                guard let obstacle = kernel.obstacle else { return kernel }
                if packets.obstacle == nil { packets.notes.append(LinkBackend.slowPackets(obstacle.reason)) }
            case .proxy:
                let missing = why(demand)
                var proxy = plan(
                    .proxy, for: demand, asked: asked, reason: "auto: the packet backend cannot be used. \(missing)")
                proxy.shortfall = missing
                if proxy.obstacle == nil { return proxy }
            }
        }
        return packets
    }

    /// Why the packet backend cannot serve a demand.
    private func why(_ demand: LinkDemand) -> String {
        demand.whyNotInSandbox.map { "'\(demand.name)' cannot run over packets: \($0)." }
            ?? machine.refusal(of: demand.setup, by: PacketBackend()) ?? ""
    }

    private func plan(
        _ backend: LinkBackend, for demand: LinkDemand, asked: String, reason: String?
    ) -> BackendPlan {
        let provider = backend.provider
        var plan = BackendPlan(backend: backend, reason: reason)
        if let why = backend.isInSandbox ? demand.whyNotInSandbox : demand.whyNotOnLoopback {
            plan.obstacle =
                backend.isInSandbox
                ? .notInSandbox(cell: demand.name, why) : .notOnLoopback(cell: demand.name, why)
        } else if case let obstacles = obstacles(to: demand.setup, by: provider), !obstacles.isEmpty {
            plan.obstacle = .impossible(backend, cell: demand.name, obstacles)
        } else if let refusal = machine.refusal(of: demand.setup, by: provider) {
            plan.obstacle = .notHere(backend, asked: asked, refusal)
        } else {
            plan.notes = machine.notes(for: provider) + provider.notes(on: demand.setup)
        }
        if !backend.isInSandbox { plan.notes += demand.loopbackNotes }
        return plan
    }

    /// The features of a link that a backend supports on no machine, as clauses.
    func obstacles(to setup: LinkSetup, by provider: some LinkProvider) -> [String] {
        let capture = isCapturing ? provider.captureObstacle.map { "'--capture' (\($0))" } : nil
        return provider.obstacles(to: setup) + (capture.map { [$0] } ?? [])
    }

    /// Probes this machine for what the plans of these links need, and no more.
    ///
    /// Throws `CancellationError` only.
    package static func make(
        for demands: [LinkDemand], _ choice: LinkBackend?, isCapturing: Bool, by dependencies: LinkDependencies
    ) async throws -> BackendPlanner {
        var machine = LinkMachine()
        if needsPackets(demands, choice) { machine.sandboxes = try await dependencies.probeSandboxes() }
        if needsKernel(demands, choice, machine) { machine.kernel = try await dependencies.probeKernel() }
        return BackendPlanner(choice: choice, machine: machine, isCapturing: isCapturing)
    }

    private static func needsPackets(_ demands: [LinkDemand], _ choice: LinkBackend?) -> Bool {
        guard choice?.provider.sandbox != .router else { return false }
        return demands.contains { demand in
            switch demand.fidelity {
            case .packet: true
            case .modelled: false
            case .any: choice?.isInSandbox ?? true
            }
        }
    }

    private static func needsKernel(
        _ demands: [LinkDemand], _ choice: LinkBackend?, _ machine: LinkMachine
    ) -> Bool {
        let shaped = demands.filter { $0.fidelity != .modelled }
        if let choice { return choice.provider.sandbox == .router && !shaped.isEmpty }
        guard case .available? = machine.sandboxes else { return !shaped.isEmpty }
        return shaped.contains { LinkBackend.order(for: $0.setup.profile, fidelity: $0.fidelity).first == .kernel }
    }
}

/// The requirements for a link, before a backend is chosen.
package struct LinkDemand: Sendable {
    /// The name of the cell that needs it, for errors.
    package var name: String
    package var setup: LinkSetup
    /// The requested fidelity.
    package var fidelity: LinkFidelity
    /// Why host and client cannot be in a sandbox on any machine, as a clause; nil if they can.
    package var whyNotInSandbox: String?
    /// Why they cannot be on this machine's loopback, as a clause; nil if they can.
    package var whyNotOnLoopback: String?
    /// The features that they lack on the loopback, as clauses.
    package var loopbackNotes: [String] = []

    package init(_ name: String, _ setup: LinkSetup, fidelity: LinkFidelity) {
        (self.name, self.setup, self.fidelity) = (name, setup, fidelity)
    }
}

/// The chosen backend of a link, and the reason.
package struct BackendPlan: Sendable, Hashable {
    package var backend: LinkBackend
    /// Why this backend was chosen, as results state it; nil if the scenario names its fidelity.
    package var reason: String?
    /// Why it is not the preferred backend, as sentences; nil if it is.
    package var shortfall: String?
    /// Why it is not available; nil if it is.
    package var obstacle: LinkRefusal?
    /// The features that packets lack here.
    package var notes: [String] = []
}

extension BackendPlan {
    /// The plan with a backend that was chosen before.
    package init(_ backend: LinkBackend) { self.init(backend: backend) }
}
