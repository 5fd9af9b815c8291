import Results
import Scenarios

@testable import Harness

/// A scenario of the suite of error paths that shows a bug of clients that take the command line of headwind-client.
struct SuiteDetection: Sendable {
    let bug: ClientBug

    static let all = ClientBug.allCases.map(Self.init)

    /// What a client comes to, by packets where they can be had.
    func run(_ client: Client) async throws -> RunResult {
        let bench = try Bench(packs: [:])
        let file = Bench.root.appending("scenarios/error-paths/\(bug.scenario).yaml")
        var scenarios = try ScenarioLoader(profiles: Bench.profiles).load(file)
        if client.bug != nil, bug != .memoryGrows {
            // Who hangs is no more of a bug after 30 s.
            for index in scenarios.indices {
                for cell in scenarios[index].cells.indices { scenarios[index].cells[cell].deadline = .seconds(12) }
            }
        }
        var run = Run(
            scenarios: scenarios, programs: try client.programs(bench), toolVersion: "1",
            commandLine: ["headwind", "run"])
        run.rig.calibrate = { _ in [] }
        for _ in 1..<Self.mostRuns {
            let result = try await run.perform()
            guard result.cells.contains(where: { $0.verdict == .infrastructure }) else { return result }
        }
        return try await run.perform()
    }

    /// How often what said nothing about the client, as on a busy machine, is run.
    private static let mostRuns = 4
}
