import Foundation
import Results
import Testing

@testable import Harness

/// Every bug is caught in every client that has it, and named; and the same client without it is accused of nothing.
///
/// Bugs draw their parameters from a seed, which a failure names; `HEADWIND_SEED` has the same again.
@Suite(.serialized, .timeLimit(.minutes(8)))
struct DetectionTests {
    /// A client, and what it is run against.
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

    /// By the scenario that documents it.
    @Test(arguments: Client.Make.broken)
    func theSuiteCatchesBugs(make: Client.Make) async {
        await Self.inParallel(SuiteDetection.all) { test in
            let client = test.client(make)
            Self.expect(try await test.run(client), test.bug.rawValue, client)
        }
    }

    private static func expect(_ result: RunResult, _ bug: String, _ client: Client) {
        #expect(result.exitCode == 99, "\(client)\n\(result.text)")
        // The first is the most specific one; others may be true as well.
        let named = result.cells.flatMap { $0.diagnoses ?? [] }.map(\.bug.rawValue)
        #expect(named.first == bug, "\(client)\n\(result.text)")
    }

    /// Of those that are good where they are not told to have a bug, the seed takes one.
    @Test func goodCommandsAreNotAccused() async {
        await Self.inParallel(Self.commands([Self.one], hasBug: false)) { test in
            let result = try await test.detection.run(test.client)
            #expect(result.exitCode == 0, "\(test.client) against \(test.detection.bug)\n\(result.text)")
        }
    }

    /// All of it: every other scenario is the one client's.
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

    /// Programs of others are run against what they can do.
    @Test func programsOfOthersAreNotAccused() async {
        let cases = Self.commands([.curl, .aria2c, .wget], hasBug: false).filter { test in
            !(Self.lacks[test.client.make] ?? []).contains(test.detection.bug)
        }
        await Self.inParallel(cases) { test in
            let result = try await test.detection.forSlowOnes.run(test.client)
            #expect(result.exitCode == 0, "\(test.client) against \(test.detection.bug)\n\(result.text)")
        }
    }

    /// What programs of others do not do, by the bug that it is.
    private static let lacks: [Client.Make: Set<String>] = {
        let progress: Set = [
            "progress_jumps_early", "progress_goes_back", "progress_stands_still", "progress_counts_twice",
            // They are told to give up sooner.
            "busy_waits",
        ]
        let condition: Set = [
            "follows_captive_portal", "keeps_stale_bytes", "downgrades_to_http", "keeps_encoded_bytes",
            // They go on with a file that is there, or write beside it.
            "widens_permissions",
        ]
        return [
            .curl: progress,
            .aria2c: progress.union(condition).union(["takes_200_for_206"]),
            // It goes on at the new address, and so is not led there a second time.
            .wget: progress.union(condition).union([
                "retries_without_back_off", "ignores_retry_after", "takes_416_for_success", "drops_range_on_redirect",
                "mixes_downloads",
            ]),
        ]
    }()

    /// Each bug that a command can show is one that results can name.
    @Test func everyBugIsThere() {
        #expect(Set(ClientBug.allCases.map(\.rawValue)).isSuperset(of: Detection.commands.map(\.bug)))
    }

    /// Three for each processor: most of a run is waiting, and a late link change would be blamed on a client.
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
    /// The checks that failed, and all that was found.
    var broken: Set<String> {
        let checks = cells.flatMap(\.checks).filter { $0.verdict == .fail }.map(\.name)
        return Set(checks + attributions.map(\.rawValue))
    }
}
