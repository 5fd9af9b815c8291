extension BackendPlanner {
    /// Asks this machine what has to be known for the plans of these links, and no more.
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
