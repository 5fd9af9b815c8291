import Harness
import LinkModel
import Links
import Redaction
package import Scenarios
package import SystemPackage
import Wording

/// What is left of programs that were run: a bundle, a scenario, or both.
package struct ExecKeeping: Sendable {
    private let scenario: ProgramScenario
    /// What it is as a cell.
    package let cell: Scenarios.Cell
    private let bundle: FilePath?
    private let file: FilePath?
    private let attempts: Int
    private let toolVersion: String
    private let writeFile: @Sendable (String, FilePath) throws -> Void

    /// The status that the program is to end with.
    var status: Int32 { scenario.status }

    /// Keeps a bundle of this version of the tool and a scenario, which `writeFile` puts into its file.
    ///
    /// Throws before anything is run what would keep it from being kept.
    package init(
        _ scenario: ProgramScenario, _ profiles: ProfileLibrary, bundle: FilePath?, file: FilePath?, attempts: Int,
        toolVersion: String, writeFile: @escaping @Sendable (String, FilePath) throws -> Void
    ) throws {
        self.scenario = scenario
        self.bundle = bundle
        self.file = file
        self.attempts = min(attempts, 1000)
        (self.toolVersion, self.writeFile) = (toolVersion, writeFile)
        cell = try scenario.cell(profiles)
        if let bundle, let obstacle = ProgramBundle.obstacle(at: bundle) {
            throw ExecError(obstacle)
        }
    }

    /// Leaves the bundle of a run; answers what the user is to know of it.
    func write(_ record: ProgramRecord, of plan: ExecPlan, by backend: LinkBackend?) throws -> [TerminalText] {
        guard let bundle else { return [] }
        var writer = ProgramBundle(
            cell, backend: backend ?? .packet, seed: plan.seed,
            programs: Programs(beside: BundledFiles.executable), toolVersion: toolVersion)
        writer.capture = plan.capture?.path
        try writer.write(record, to: bundle)
        return ["the bundle is in \(bundle); 'headwind replay \(bundle)' plays it"]
    }

    /// Leaves the scenario, for the backend that there was; answers what the user is to know of it.
    func writeScenario(by backend: LinkBackend?) throws -> [TerminalText] {
        guard let file, let backend else { return [] }
        var scenario = scenario
        scenario.fidelity = backend.fidelity
        scenario.attempts = attempts
        scenario.words = Redaction.arguments(scenario.words)
        try writeFile(scenario.text, file)
        let secrets: TerminalText =
            "the scenario leaves out CMD's secrets: add them, best from the environment, before you run it"
        return ["the scenario is in \(file); 'headwind run \(file)' runs it"]
            + (scenario.words == self.scenario.words ? [] : [secrets])
    }
}
