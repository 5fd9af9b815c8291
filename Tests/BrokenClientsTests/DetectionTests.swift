import Results
import Testing

@testable import Harness

/// Every bug is caught in every client that has it, and named; and the same client without it is accused of nothing.
///
/// Bugs draw their parameters from a seed, which a failure names; `HEADWIND_SEED` has the same again.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DetectionTests {
    @Test(arguments: Client.Language.allCases) func bugsOfCommandsAreCaught(language: Client.Language) async {
        await Self.inParallel(Detection.commands) { detection in
            let client = Client(language: language, kind: .fetch, bug: detection.bug)
            let result = try await detection.run(client)
            #expect(result.exitCode == 99, "\(client)\n\(result.text)")
            #expect(!result.broken.isDisjoint(with: detection.breaks), "\(client)\n\(result.text)")
            // The first is the most specific one; others may be true as well.
            let named = result.cells.flatMap { $0.diagnoses ?? [] }.map(\.bug.rawValue)
            #expect(named.first == detection.bug, "\(client)\n\(result.text)")
        }
    }

    @Test(arguments: Client.Language.allCases) func bugsOfRequestsAreCaught(language: Client.Language) async {
        await Self.inParallel(Detection.requests) { detection in
            let client = Client(language: language, kind: .requests, bug: detection.bug)
            let result = try await detection.run(client)
            #expect(result.exitCode == 99, "\(client)\n\(result.text)")
            #expect(!result.broken.isDisjoint(with: detection.breaks), "\(client)\n\(result.text)")
            // The first is the most specific one; others may be true as well.
            let named = result.cells.flatMap { $0.diagnoses ?? [] }.map(\.bug.rawValue)
            #expect(named.first == detection.bug, "\(client)\n\(result.text)")
        }
    }

    @Test(arguments: Client.Language.allCases) func goodClientsAreNotAccused(language: Client.Language) async {
        await Self.inParallel(Detection.requests) { detection in
            let client = Client(language: language, kind: .requests)
            let result = try await detection.run(client)
            #expect(result.exitCode == 0, "\(client) against \(detection.bug)\n\(result.text)")
        }
    }

    @Test func headwindsOwnClientIsNotAccused() async {
        await Self.inParallel(Detection.requests) { detection in
            let result = try await Bench(packs: detection.packs).run(detection.scenario)
            #expect(result.exitCode == 0, "headwind-client against \(detection.bug)\n\(result.text)")
        }
    }

    @Test(arguments: Client.Language.allCases) func goodCommandsAreNotAccused(language: Client.Language) async {
        await Self.inParallel(Detection.commands) { detection in
            let client = Client(language: language, kind: .fetch)
            let result = try await detection.run(client)
            #expect(result.exitCode == 0, "\(client) against \(detection.bug)\n\(result.text)")
        }
    }

    /// Four at a time: most of a run is waiting.
    static func inParallel<Element: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            var rest = elements[...]
            func next() {
                guard let element = rest.popFirst() else { return }
                group.addTask {
                    do { try await body(element) } catch { Issue.record(error) }
                }
            }
            for _ in 0..<4 { next() }
            for await _ in group { next() }
        }
    }
}

extension RunResult {
    /// The checks that failed, and all that was found.
    var broken: Set<String> {
        let checks = cells.flatMap(\.checks).filter { $0.verdict == .fail }.map(\.name)
        return Set(checks + attributions.map(\.rawValue))
    }
}
