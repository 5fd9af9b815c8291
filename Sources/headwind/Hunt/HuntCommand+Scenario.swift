import Scenarios
import SystemPackage

extension HuntCommand {
    /// What is hunted: the scenario that was named, or one that is made of the command.
    func hunted(in folder: HuntFolder) throws -> Scenario {
        try ProfileCommand.tellingProblems {
            let file = try scenario.map { FilePath($0) } ?? written(in: folder)
            let scenarios = try ScenarioLoader(profiles: ProfileCommand.library()).load(file)
            let cells = scenarios.flatMap(\.cells)
            guard cells.count == 1, let only = scenarios.first else {
                throw CommandFailure(
                    status: .usage,
                    description: "'\(file)' has \(cells.count) cells, and a hunt is of one: take its matrix away.")
            }
            if case .host = cells[0].content {
                throw CommandFailure(
                    status: .invalidInput,
                    description: "'\(file)' has a host that is not Headwind's, which cannot be made to do wrong.")
            }
            guard cells[0].hostFaults.isEmpty, cells[0].linkFaults.isEmpty, cells[0].schedule == nil else {
                throw CommandFailure(
                    status: .invalidInput,
                    description:
                        "'\(file)' has faults of its own, and a hunt tries its own: take 'faults' and 'schedule' away.")
            }
            return only
        }
    }

    private func written(in folder: HuntFolder) throws -> FilePath {
        program.isProgram
            ? try folder.writeScenario(of: program, command, within: client.within)
            : try folder.writeScenario(of: command, client)
    }
}
