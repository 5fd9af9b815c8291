import Reports
import Results
import Scenarios
import Testing

@testable import Harness

/// The suite of error paths, once, with the real client, host and link: over packets where the machine can.
///
/// It takes about 40 s on two cores.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(20)))
struct ErrorPathsTests {
    /// How often at most a cell runs that says nothing about the client, as on a busy machine.
    private static let mostRuns = 4

    @Test func everyErrorPathEndsAsItIsWritten() async throws {
        let folder = Bench.root.appending("scenarios/error-paths")
        var scenarios = try ScenarioLoader(profiles: Bench.profiles).load(folder)
        #expect(scenarios.count > 80)
        for _ in 1...Self.mostRuns {
            let result = try await Self.run(scenarios)
            for cell in result.cells where cell.verdict != .pass && cell.verdict != .infrastructure {
                Issue.record("\(cell.scenario): \(result.text)")
            }
            let passed = Set(result.cells.filter { $0.verdict != .infrastructure }.map(\.scenario))
            for index in scenarios.indices { scenarios[index].cells.removeAll { passed.contains($0.id) } }
            scenarios.removeAll(where: \.cells.isEmpty)
            if scenarios.isEmpty { return }
        }
        Issue.record("not measured: \(scenarios.map(\.name))")
    }

    private static func run(_ scenarios: [Scenario]) async throws -> RunResult {
        var run = Run(
            scenarios: scenarios, programs: Bench.programs, toolVersion: "1", commandLine: ["headwind", "run"])
        run.jobs = 4
        // No probe of the link is needed here; each attempt is still checked.
        run.dependencies.calibrate = { _ in [] }
        return try await run.perform()
    }
}
