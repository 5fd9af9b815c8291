import ArgumentParser
import Harness
import Scenarios
import SystemPackage
import Wording

/// `headwind scenario`: checks scenario files.
struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Check scenario files without running them.",
        discussion: """
            A scenario defines the download, its link, and its expectations and budgets.

              headwind scenario check mine.yaml
            """,
        subcommands: [ScenarioCheckCommand.self])
}

/// `headwind scenario check`: reports all that `headwind run` would refuse in scenario files.
struct ScenarioCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check scenario files as 'headwind run' does, without running them.",
        discussion: """
            It builds the packs and looks for the programs of commands, so it finds missing packs, tags and programs \
            too. It reports every problem as file:line:column, and the exit status is 65 if there is one. Otherwise it \
            prints one line.

              headwind scenario check mine.yaml
              headwind scenario check scenarios
            """)

    @Argument(
        help: ArgumentHelp("Scenarios, or folders of them.", valueName: "file or folder"),
        completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    func run() async throws {
        let loader = ScenarioLoader(profiles: try ProfileCommand.library())
        var (scenarios, problems) = loader.examine(files.map { FilePath($0) })
        do { try await Run(scenarios).check() } catch let invalid as InvalidFiles { problems += invalid.diagnostics }
        if !problems.isEmpty { throw InvalidFiles(problems) }
        Console.out("\(Self.summary(of: scenarios))")
    }

    /// The message that these scenarios are valid, with the number of their cells.
    static func summary(of scenarios: [Scenario]) -> String {
        let cells = scenarios.flatMap(\.cells).count.counted("cell")
        return scenarios.count == 1
            ? "\(scenarios[0].file): the scenario '\(scenarios[0].title)' is valid, with \(cells)"
            : "\(scenarios.count) scenarios are valid, with \(cells)"
    }
}
