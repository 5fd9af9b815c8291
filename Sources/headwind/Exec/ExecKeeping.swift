import Harness
import Links
import Reports
import Scenarios
import SystemPackage
import Wording

/// What is left of programs that were run: a bundle, a scenario, or both.
struct ExecKeeping {
    private var scenario: ProgramScenario
    /// What it is as a cell.
    let cell: Scenarios.Cell
    private let bundle: FilePath?
    private let file: FilePath?
    private let attempts: Int

    /// The status that the program is to end with.
    var status: Int32 { scenario.status }

    /// Throws before anything is run what would keep it from being kept.
    init(
        _ scenario: ProgramScenario, _ profiles: ProfileLibrary, bundle: FilePath?, file: FilePath?, attempts: Int
    ) throws {
        self.scenario = scenario
        self.bundle = bundle
        self.file = file
        self.attempts = min(attempts, 1000)
        cell = try scenario.cell(profiles)
        if let bundle, let obstacle = ProgramBundle.obstacle(at: bundle) {
            throw CommandFailure(status: .usage, description: obstacle)
        }
    }

    /// Leaves the bundle of a run.
    func write(_ record: ProgramRecord, of plan: ExecPlan, by backend: LinkBackend?) throws {
        guard let bundle else { return }
        var writer = ProgramBundle(
            cell, backend: backend ?? .packet, seed: plan.seed,
            programs: Programs(beside: BundledFiles.executable), toolVersion: Headwind.version)
        writer.capture = plan.capture?.path
        try writer.write(record, to: bundle)
        Console.note("headwind: the bundle is in \(bundle); 'headwind replay \(bundle)' plays it")
    }

    /// Leaves the scenario, for the backend that there was.
    func writeScenario(by backend: LinkBackend?) throws {
        guard let file, let backend else { return }
        var scenario = scenario
        scenario.fidelity = backend.fidelity
        scenario.attempts = attempts
        scenario.words = Redaction.arguments(scenario.words)
        try FileReplacement.write(scenario.text, to: file)
        Console.note("headwind: the scenario is in \(file); 'headwind run \(file)' runs it")
        if scenario.words != self.scenario.words {
            Console.note(
                "headwind: CMD has secrets, which are left out of the scenario: it does not do the same until they are "
                    + "there, best from the environment")
        }
    }
}
