import Scenarios
import SystemPackage

extension HuntCommand {
    /// The scenario to hunt with: the named one, or one made from the command.
    func hunted(in folder: HuntFolder) throws -> Scenario {
        let loader = try ScenarioLoader(profiles: ProfileCommand.library())
        let file = try scenario.map { FilePath($0) } ?? written(in: folder)
        let scenarios = try loader.load(file)
        let cells = scenarios.flatMap(\.cells)
        guard cells.count == 1, let only = scenarios.first else {
            throw CommandFailure(.usage, "'\(file)' has \(cells.count) cells, and a hunt takes one: remove its matrix.")
        }
        if case .host = cells[0].content {
            throw CommandFailure(
                .invalidInput,
                "'\(file)' uses your own host, where Headwind cannot inject faults. Use a catalog or packs.")
        }
        guard cells[0].hostFaults.isEmpty, cells[0].linkFaults.isEmpty, cells[0].schedule == nil else {
            throw CommandFailure(
                .invalidInput,
                "'\(file)' already has faults, and a hunt chooses its own: remove 'faults' and 'schedule'.")
        }
        return only
    }

    /// Whether all attempts run in a folder that the user chose.
    func sharesFolder(_ hunted: Scenario) -> Bool {
        guard scenario != nil, case .command(let command) = hunted.cells[0].workload else {
            return program.directory != nil
        }
        return command.directory != nil
    }

    private func written(in folder: HuntFolder) throws -> FilePath {
        program.isProgram
            ? try folder.writeScenario(of: program, command, within: client.within)
            : try folder.writeScenario(of: command, client)
    }
}
