import Scenarios
import Testbed

extension BackendPlanner {
    /// Asks this machine what has to be known for the plans of these cells, and no more.
    static func make(
        for cells: [Scenarios.Cell], _ choice: BackendChoice, isCapturing: Bool, by dependencies: AttemptDependencies
    ) async throws -> BackendPlanner {
        let capability = needsPackets(cells, choice) ? try await dependencies.probeSandboxes() : nil
        var planner = BackendPlanner(choice: choice, capability: capability, isCapturing: isCapturing)
        if needsKernel(cells, choice, capability) { planner.kernelCapability = try await dependencies.probeKernel() }
        return planner
    }

    private static func needsPackets(_ cells: [Scenarios.Cell], _ choice: BackendChoice) -> Bool {
        guard choice != .kernel else { return false }
        return cells.contains { cell in
            switch cell.link.fidelity {
            case .packet: true
            case .modelled: false
            case .any: choice != .proxy
            }
        }
    }

    private static func needsKernel(
        _ cells: [Scenarios.Cell], _ choice: BackendChoice, _ capability: SandboxCapability?
    ) -> Bool {
        let shaped = cells.filter { $0.link.fidelity != .modelled }
        switch choice {
        case .kernel: return !shaped.isEmpty
        case .packet, .proxy: return false
        case .auto:
            if case .available? = capability { return shaped.contains(where: \.link.profile.isFast) }
            return !shaped.isEmpty
        }
    }
}
