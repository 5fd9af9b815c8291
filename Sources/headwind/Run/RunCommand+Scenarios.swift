import Scenarios
import SystemPackage

extension RunCommand {
    /// The scenarios that are named, or the bundled ones, with the cells that were asked for.
    func loadScenarios() throws -> [Scenario] {
        let paths = scenarios.isEmpty ? try bundledScenarios() : scenarios.map { FilePath($0) }
        var loaded = try ProfileCommand.tellingProblems {
            var loader = ScenarioLoader(profiles: try ProfileCommand.library())
            loader.hasBaseline = baseline.isUsed
            return try loader.load(paths)
        }
        guard !only.isEmpty else { return loaded }
        let names = loaded.flatMap(\.cells).map(\.id)
        if let none = only.first(where: { text in !names.contains { $0.contains(text) } }) {
            let known = names.prefix(20).joined(separator: ", ")
            throw CommandFailure(status: .usage, description: "No cell is called like '\(none)'. Cells: \(known).")
        }
        for index in loaded.indices {
            loaded[index].cells.removeAll { cell in !only.contains { cell.id.contains($0) } }
        }
        loaded.removeAll(where: \.cells.isEmpty)
        return loaded
    }

    private func bundledScenarios() throws -> [FilePath] {
        guard let bundled = BundledSuite() else {
            throw CommandFailure(
                status: .failed,
                description: "The bundled scenarios are not beside this program. Name a scenario, or set "
                    + "\(BundledFiles.variable) to the folder that holds 'scenarios' and 'profiles'.")
        }
        guard let suite = quick ? "quick" : suite else { return bundled.files }
        guard let folder = bundled.folder(suite) else {
            let text = "There is no bundled suite '\(suite)': \(bundled.hint(for: suite))."
            throw CommandFailure(status: .usage, description: text)
        }
        return [folder]
    }
}
