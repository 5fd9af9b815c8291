import Foundation
import Results
import Testing

@testable import Harness

/// Every bug is caught and named in every client that has it, and no bug is named in the same client without it.
///
/// Bugs draw their parameters from a seed, which a failure names; `HEADWIND_SEED` repeats the same ones.
@Suite(.serialized, .timeLimit(.minutes(12)))
struct DetectionTests {
    /// A client, and the scenario to run it with.
    private struct Case: Sendable {
        var detection: Detection
        var client: Client
    }

    private static func commands(_ makes: [Client.Make], hasBug: Bool) -> [Case] {
        makes.flatMap { make in
            Detection.commands.map { detection in
                Case(
                    detection: detection,
                    client: Client(make: make, kind: .fetch, bug: hasBug ? detection.bug : nil))
            }
        }
    }

    @Test func bugsOfCommandsAreCaught() async {
        await Self.inParallel(Self.commands(Client.Make.broken, hasBug: true)) { test in
            let result = try await test.detection.run(test.client)
            #expect(!result.broken.isDisjoint(with: test.detection.breaks), "\(test.client)\n\(result.text)")
            Self.expect(result, test.detection.bug, test.client)
        }
    }

    /// Each bug is caught by the scenario that documents it.
    @Test(arguments: Client.Make.broken)
    func theSuiteCatchesBugs(make: Client.Make) async {
        await Self.inParallel(SuiteDetection.all) { test in
            let client = test.client(make)
            Self.expect(try await test.run(client), test.bug.rawValue, client)
        }
    }

    private static func expect(_ result: RunResult, _ bug: String, _ client: Client) {
        #expect(result.exitCode == 99, "\(client)\n\(result.text)")
        // The first diagnosis is the most specific one; others may be true as well.
        let named = result.cells.flatMap { $0.diagnoses ?? [] }.map(\.bug.rawValue)
        #expect(named.first == bug, "\(client)\n\(result.text)")
    }

    /// The seed chooses one of the clients that are good unless they are given a bug.
    @Test func goodCommandsAreNotAccused() async {
        await Self.inParallel(Self.commands([Self.one], hasBug: false)) { test in
            let result = try await test.detection.run(test.client)
            #expect(result.exitCode == 0, "\(test.client) against \(test.detection.bug)\n\(result.text)")
        }
    }

    /// The whole suite: each of the two clients runs every other scenario.
    @Test func theSuiteAccusesNoGoodClient() async {
        let paths = ErrorPath.all
        #expect(paths.count > 90)
        let makes = Client.Make.broken
        await Self.inParallel(Array(paths.enumerated())) { index, path in
            let client = Client(make: makes[(index + Int(Client.seed % 2)) % makes.count], kind: .requests)
            let result = try await path.run(client)
            #expect(result.exitCode == 0, "\(client) against \(path.name)\n\(result.text)")
        }
    }

    private static let one = Client.Make.broken[Int(Client.seed % UInt64(Client.Make.broken.count))]

    /// Other people's programs run the scenarios of what they support.
    @Test func programsOfOthersAreNotAccused() async {
        let cases = Self.commands([.curl, .aria2c, .wget], hasBug: false).filter { test in
            !(Self.lacks[test.client.make] ?? []).contains(test.detection.bug)
        }
        await Self.inParallel(cases) { test in
            let result = try await test.detection.forSlowOnes.run(test.client)
            #expect(result.exitCode == 0, "\(test.client) against \(test.detection.bug)\n\(result.text)")
        }
    }

    /// What other people's programs lack, by the bug that it would be.
    private static let lacks: [Client.Make: Set<String>] = {
        let progress: Set = [
            "progress_jumps_early", "progress_goes_back", "progress_stands_still", "progress_counts_twice",
            // These programs get a shorter time limit.
            "busy_waits",
        ]
        let condition: Set = [
            "follows_captive_portal", "keeps_stale_bytes", "downgrades_to_http", "keeps_encoded_bytes",
            // They continue an existing file, or write next to it.
            "widens_permissions",
        ]
        return [
            .curl: progress,
            .aria2c: progress.union(condition).union(["takes_200_for_206"]),
            // wget continues at the new address, and so is not redirected a second time.
            .wget: progress.union(condition).union([
                "retries_without_back_off", "ignores_retry_after", "takes_416_for_success", "drops_range_on_redirect",
                "mixes_downloads",
            ]),
        ]
    }()

    /// Results can name each bug that a command can show.
    @Test func everyBugHasAName() {
        #expect(Set(ClientBug.allCases.map(\.rawValue)).isSuperset(of: Detection.commands.map(\.bug)))
    }

    /// Runs three elements at once per processor: a run mostly waits, and more would delay changes of the link.
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
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 3 { next() }
            for await _ in group { next() }
        }
    }
}

extension RunResult {
    /// The failed checks, and all findings.
    var broken: Set<String> {
        let checks = cells.flatMap(\.checks).filter { $0.verdict == .fail }.map(\.name)
        return Set(checks + attributions.map(\.rawValue))
    }
}
