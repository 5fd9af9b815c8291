import Foundation
import Results
import Scenarios

@testable import Harness

/// A scenario of the error-path suite that shows a bug.
///
/// The clients take the command line of headwind-client, or a URL and a file for bugs that only a command can have.
struct SuiteDetection: Sendable {
    let bug: ClientBug

    static let all = ClientBug.allCases.map(Self.init)

    /// The client that has the bug.
    func client(_ make: Client.Make) -> Client {
        Client(make: make, kind: Self.ofCommands.contains(bug) ? .fetch : .requests, bug: bug.rawValue)
    }

    private static let ofCommands: Set<ClientBug> = [
        .losesOldEdition, .cachesErrors, .widensPermissions, .mixesDownloads,
        .ignoresWriteErrors, .stuckAfterKill,
    ]

    /// Runs the scenario with the client that has the bug.
    func run(_ client: Client) async throws -> RunResult {
        // A client that hangs for more than 12 s shows no more of its bug.
        return try await ErrorPath(name: bug.row.scenario).run(
            client, deadline: bug == .memoryGrows ? nil : .seconds(12))
    }
}

/// A scenario of the error-path suite.
struct ErrorPath: Sendable {
    let name: String

    static let all: [ErrorPath] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.string)
        return (names ?? []).filter { $0.hasSuffix(".yaml") }.map { ErrorPath(name: String($0.dropLast(5))) }
            .sorted { $0.name < $1.name }
    }()

    private static let folder = Bench.root.appending("scenarios/error-paths")

    /// Runs the scenario with a client, with the packet backend where it works.
    func run(_ client: Client, deadline: Duration? = nil) async throws -> RunResult {
        let bench = try Bench(packs: [:])
        let (loader, file) = (ScenarioLoader(profiles: Bench.profiles), Self.folder.appending("\(name).yaml"))
        var scenarios =
            switch client.kind {
            case .requests: try loader.load(file)
            case .fetch: try loader.checks([file], asking: client.checked).compactMap(\.scenario)
            }
        if let deadline {
            for index in scenarios.indices {
                for cell in scenarios[index].cells.indices { scenarios[index].cells[cell].deadline = deadline }
            }
        }
        var run = Run(
            scenarios: scenarios, programs: client.kind == .fetch ? Bench.programs : try client.programs(bench),
            toolVersion: "1",
            commandLine: ["headwind", "run"])
        run.dependencies.calibrate = { _ in [] }
        for turn in 1..<Self.mostRuns {
            let result = try await run.perform()
            guard result.cells.contains(where: { $0.verdict == .infrastructure }) else { return result }
            // A busy moment of a shared machine lasts for seconds.
            try await Task.sleep(for: .seconds(3 * turn))
        }
        return try await run.perform()
    }

    /// The maximum number of runs, if a run says nothing about the client, as on a busy machine.
    private static let mostRuns = 6
}
