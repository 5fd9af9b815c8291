import FoundationEssentials
import LinuxSupport
import Scenarios
import SystemPackage

extension RunCommand {
    /// The named scenarios, or the bundled ones, with the requested cells.
    func loadScenarios() throws -> [Scenario] {
        let paths = scenarios.isEmpty ? try bundledScenarios() : scenarios.map { FilePath($0) }
        var loader = ScenarioLoader(profiles: try ProfileCommand.library())
        loader.hasBaseline = baseline.isUsed
        var loaded = try loader.load(paths)
        // Include files of cells that do not run: a machine reached by SSH reads the scenarios too.
        if let files = FilesRead.current { for cell in loaded.flatMap(\.cells) { files.note(cell) } }
        guard !only.isEmpty else { return loaded }
        let names = loaded.flatMap(\.cells).map(\.id)
        if let none = only.first(where: { text in !names.contains { $0.contains(text) } }) {
            let known = names.prefix(20).joined(separator: ", ")
            throw CommandFailure.usage("No cell's name contains '\(none)'. Cells: \(known).")
        }
        for index in loaded.indices {
            loaded[index].cells.removeAll { cell in !only.contains { cell.id.contains($0) } }
        }
        loaded.removeAll(where: \.cells.isEmpty)
        return loaded
    }

    /// The files that another machine needs to read the same scenarios, as absolute paths, without Headwind's own.
    func filesRead() throws -> [FilePath] {
        let files = FilesRead()
        _ = try FilesRead.$current.withValue(files) { try loadScenarios() }
        let named = [baseline.baseline].compactMap { $0 }.map { FilePath($0) }
        let own = ["scenarios", "profiles"].compactMap { BundledFiles.folder($0) }.map(\.whole)
        return (files.paths + named).map(\.whole).filter { path in !own.contains { path.starts(with: $0) } }
    }

    /// Reports that Headwind's own scenarios and client run, if the user named none.
    func noteBundled() {
        guard replacement.client == nil, suite == nil else { return }
        let own = "scenario.yaml"
        let isBeside = FileManager.default.fileExists(atPath: own)
        let command = isBeside ? "headwind run \(own)" : "headwind init --command './fetch.py {url} {output}'"
        Console.note("These are Headwind's own scenarios and client. For your client: \(command)")
    }

    private func bundledScenarios() throws -> [FilePath] {
        guard let bundled = BundledSuite() else {
            throw CommandFailure(missing: "The bundled scenarios are", "Give a scenario, or set")
        }
        guard let suite = quick ? "quick" : suite else { return bundled.files }
        guard let folder = bundled.folder(suite) else {
            let text = "There is no bundled suite '\(suite)': \(bundled.hint(for: suite))."
            throw CommandFailure.usage(text)
        }
        return [folder]
    }
}
