import Foundation
import LinkModel
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// A failure leaves a bundle, and playing the bundle brings the failure back.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct ReplayTests {
    /// Gives up after a second, which a stall makes of a tenth of a second.
    private static let hasty =
        "command: [curl, -sS, --fail, --max-time, '1', -o, '{output}', '{url}']"
    private static let stall = """
        schedule:
          - L2 conn=* down off=14480 len=1448 tx=1 drop
          - link outage kind=silent after=pack:level.bin:40% until=+1500ms
        """

    /// Runs a scenario that fails, and reads the bundle that it leaves.
    private func bundle(
        _ bench: Bench, _ text: String, attempts: Int = 1
    ) async throws -> (bundle: FailureBundle, result: CellResult) {
        var run = try bench.prepare(text + "\nattempts: \(attempts)")
        let output = bench.folder.appending("results")
        run.output = output
        // Attempts run one after the other, because a client here counts them.
        run.jobs = 1
        let result = try await run.perform()
        let cell = try #require(result.cells.first)
        #expect(cell.verdict == .fail, "\(result.text)")
        let name = try #require(cell.bundle)
        let left = try FileManager.default.contentsOfDirectory(atPath: output.appending("bundles").string)
        #expect(left.map { "bundles/\($0)" } == [name])
        let json = try String(contentsOfFile: output.appending("result.json").string, encoding: .utf8)
        #expect(json.contains("\"bundle\" : \"\(name)\""))
        return (try FailureBundle(reading: output.appending(name)), cell)
    }

    private func play(
        _ bundle: FailureBundle, times: Int = 5, command: [String]? = nil, hasLimits: Bool = true
    ) async throws -> ReplayResult {
        var replay = try Replay(
            bundle, command: command, hasLimits: hasLimits, programs: Bench.programs, toolVersion: "1")
        replay.times = times
        replay.run.dependencies = .quiet
        return try await replay.perform()
    }

    @Test(arguments: ["modelled", "packet"]) func aClientThatGivesUpDoesSoAgain(fidelity: String) async throws {
        let bench = try Bench()
        let link =
            "{downlink: {rate: 20 Mbit/s, delay: 5 ms, loss: 3 %}, uplink: {rate: 20 Mbit/s}, fidelity: \(fidelity)}"
        let (bundle, cell) = try await bundle(
            bench, "\(Self.stall)\nlink: \(link)\nworkload: {\(Self.hasty), pack: level.bin}")
        #expect(bundle.isOwn && bundle.record.attempt == 1 && cell.bundle == "bundles/test-1")
        #expect(bundle.record.failure.outcomes == ["available: error exit 28", "client_failed"])
        // The bundle needs none of the original files.
        try FileManager.default.removeItem(atPath: bench.folder.appending("packs").string)
        try FileManager.default.removeItem(atPath: bench.folder.appending("test.yaml").string)
        let result = try await play(bundle)
        #expect(result.cameBack == 5 && result.played == 5 && result.word == .deterministic)
        #expect(result.exitCode == 99 && result.bisectCode == 1 && result.differences == [])
        #expect((result.interval?.lowerBound ?? 0) > 0.56)
        // A client that waits is good; a client that does not know its options is neither good nor bad.
        let patient = try await play(bundle, times: 1, command: ["curl", "-sf", "-o", "{output}", "{url}"])
        #expect(patient.word == .notReproduced && patient.exitCode == 97 && patient.bisectCode == 0)
        let other = try await play(bundle, times: 1, command: ["curl", "--no-such-option", "{url}"])
        #expect(other.failedOtherwise == 1 && other.bisectCode == 125 && other.exitCode == 97)
    }

    @Test func aScriptThatHasChangedIsNamed() async throws {
        let bench = try Bench()
        try bench.write("get.sh", Array("exit 9".utf8))
        let (bundle, _) = try await bundle(
            bench, "workload: {command: [sh, get.sh, '{url}'], pack: level.bin, directory: ./}")
        try bench.write("get.sh", Array("exit 8".utf8))
        let said = try await play(bundle, times: 1).differences.first
        #expect(said?.contains("get.sh' has different content") == true)
    }

    @Test func aClientThatFailsNowAndThenIsProbabilistic() async throws {
        let bench = try Bench()
        let count = bench.folder.appending("count")
        let client = try bench.script(
            "client",
            """
            n=$(cat \(count) 2>/dev/null || echo 0); echo $((n + 1)) > \(count)
            [ $((n % 2)) = 0 ] && exit 9
            exec curl -sf -o "$HEADWIND_OUTPUT" "$HEADWIND_URL"
            """)
        let (bundle, _) = try await bundle(bench, "workload: {command: [\(client), '{url}'], pack: level.bin}")
        // The run itself is the first call, and the second call succeeds.
        let result = try await play(bundle, times: 4)
        #expect(result.plays.map(\.outcome) == [.held, .cameBack, .held, .cameBack])
        #expect(result.word == .probabilistic && result.exitCode == 99)
        try bench.write("client", Array("#!/bin/sh\nexit 8\n".utf8))
        let changed = try await play(bundle, times: 1)
        #expect(changed.failedOtherwise == 1)
        #expect(changed.differences.map { $0.hasPrefix("'\(client)' has different content") } == [true])
    }

    @Test func theFirstAttemptThatBrokeACheckIsKept() async throws {
        let bench = try Bench()
        let count = bench.folder.appending("count")
        let client = try bench.script(
            "client",
            """
            echo x >> \(count)
            curl -sf -o "$HEADWIND_OUTPUT" "$HEADWIND_URL"
            [ $(wc -l < \(count)) != 2 ]
            """)
        let (bundle, cell) = try await bundle(
            bench, "workload: {command: [\(client), '{url}'], pack: level.bin}", attempts: 3)
        #expect(cell.bundle == "bundles/test-2" && bundle.record.attempt == 2)
        let text = try String(contentsOfFile: bundle.folder.appending("events.jsonl").string, encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count > 5 && lines.allSatisfy { $0.contains("\"attempt\":2") })
    }

    @Test func aBudgetThatIsBrokenAgainIsTheSameFailure() async throws {
        let bench = try Bench()
        let (bundle, _) = try await bundle(
            bench,
            """
            schedule: [link outage kind=silent after=pack:level.bin:40% until=+600ms]
            budgets: {time_to_available: max <= 600 ms, longest_stall: max <= 200 ms}
            """)
        #expect(bundle.record.failure.outcomes == [] && bundle.record.client.isBuiltIn)
        #expect(bundle.record.failure.budgets == ["longest_stall.max", "time_to_available.max"])
        let result = try await play(bundle, times: 2)
        #expect(result.word == .deterministic)
        #expect(throws: BundleError.notACommand) {
            try Replay(bundle, command: ["true"], programs: Bench.programs, toolVersion: "1")
        }
    }

    @Test func withoutLimitsAClientMayTakeItsTime() async throws {
        let bench = try Bench()
        let client = "[sh, -c, 'sleep 2; exec curl -sf -o \"$1\" \"$2\"', sh, '{output}', '{url}']"
        let (bundle, _) = try await bundle(
            bench, "deadline: 1 s\nworkload: {command: \(client), pack: level.bin}")
        #expect(bundle.record.failure.outcomes == ["available: no callback", "client_hung"])
        #expect(try await play(bundle, times: 1).word == .deterministic)
        #expect(try await play(bundle, times: 1, hasLimits: false).word == .notReproduced)
    }

    @Test func builtPacksAreCopiedAndHostFaultsComeFromTheSchedule() async throws {
        let bench = try Bench()
        try bench.write("catalog/red/a.bin", Bench.content(5000))
        try bench.write("catalog/blue/b.bin", Bench.content(6000))
        let (bundle, _) = try await bundle(
            bench,
            """
            catalog: {folder: ./catalog, tags: by-folder}
            workload: [{request: {tags: [red]}}, {request: {tags: [blue]}}]
            faults: [{pack: red, status: 404}, {after: 1 MiB, link: edge}]
            """)
        #expect(bundle.record.content.isCopied && bundle.record.content.packs.count == 2)
        #expect(bundle.cell.hostFaults.isEmpty && bundle.cell.schedule?.hostFaults.count == 1)
        try FileManager.default.removeItem(atPath: bench.folder.appending("catalog").string)
        let result = try await play(bundle, times: 1)
        #expect(result.word == .deterministic && result.differences == [])
        #expect(result.failure.outcomes.contains { $0.hasPrefix("available: error ") })
        let list = bundle.folder.appending("schedule.txt").string
        try Data("schedule version=1\n".utf8).write(to: URL(filePath: list))
        let changed = try await play(try FailureBundle(reading: bundle.folder), times: 1)
        #expect(changed.word == .notReproduced && changed.differences == ["the fault schedule has changed"])
    }

    /// A fault, and a client that may request the pack more often when it is played than in the run.
    ///
    /// The script's `$n` is the most that it requests, and `times` has that of the run and of the plays. `last` is part
    /// of the schedule's last line; `isAgain` says whether the failure comes back.
    struct Longer: Sendable, CustomTestStringConvertible {
        var fault: String
        var script: String
        var times: (run: Int, play: Int)
        var last: String
        var isAgain = true

        var testDescription: String { "\(fault), \(times)" }
    }

    private static let redirected = "exec curl -sSfL --max-redirs $n -o \"$HEADWIND_OUTPUT\" \"$HEADWIND_URL\""
    private static let stubborn =
        "while [ $n != 0 ]; do curl -sf -o \"$HEADWIND_OUTPUT\" \"$HEADWIND_URL\" && exit; n=$((n - 1)); done; exit 22"

    @Test(arguments: [
        Longer(fault: "redirect: '?again'", script: redirected, times: (3, 12), last: "try=4- redirect=?again"),
        Longer(fault: "status: 503", script: stubborn, times: (2, 9), last: "try=2- status=503"),
        Longer(fault: "try: 1-4, status: 503", script: stubborn, times: (2, 4), last: "try=2-4 status=503"),
        Longer(
            fault: "status: 503", script: "curl -sfI \"$HEADWIND_URL\" || exit 9; \(stubborn)", times: (1, 1),
            last: "HEAD /level.bin from=0 try=1- status=503"),
        // Tries after those that the scenario faults are served.
        Longer(
            fault: "try: 1-4, status: 503", script: stubborn, times: (2, 5), last: "try=2-4 status=503", isAgain: false),
    ])
    func aFaultGoesOnForAClientThatRequestsMoreOften(_ longer: Longer) async throws {
        let bench = try Bench()
        let marker = bench.folder.appending("asked")
        let client = try bench.script(
            "client",
            "n=\(longer.times.run); [ -e \(marker) ] && n=\(longer.times.play); touch \(marker)\n\(longer.script)")
        let (bundle, _) = try await bundle(
            bench,
            "faults: [{pack: level.bin, \(longer.fault)}]\nworkload: {command: [\(client), '{url}'], pack: level.bin}")
        let last = try #require(bundle.cell.schedule?.hostFaults.last?.fault.text)
        #expect(last.contains(longer.last), "\(last)")
        let result = try await play(bundle, times: 2)
        #expect(result.word == (longer.isAgain ? .deterministic : .notReproduced), "\(result)")
    }

    @Test func aPassLeavesNoBundle() async throws {
        let bench = try Bench()
        var run = try bench.prepare("")
        run.output = bench.folder.appending("results")
        let result = try await run.perform()
        #expect(result.verdict == .pass && result.cells.first?.bundle == nil)
        #expect(!FileManager.default.fileExists(atPath: bench.folder.appending("results/bundles").string))
    }

    @Test func aBundleThatCannotBeWrittenIsReported() async throws {
        let bench = try Bench()
        var run = try bench.prepare("workload: {command: [sh, -c, 'exit 4'], pack: level.bin}")
        run.output = bench.folder.appending("results")
        try bench.write("results/bundles", Array("a file".utf8))
        let result = try await run.perform()
        #expect(result.cells.first?.verdict == .fail && result.cells.first?.bundle == nil)
        #expect(result.findings.map(\.attribution) == [.resultsNotWritten])
        #expect(result.findings.first?.detail.contains("results/bundles/test-1") == true)
    }

    @Test func redactedWordsMustBeGivenAgain() async throws {
        let bench = try Bench()
        let (bundle, _) = try await bundle(
            bench, "workload: {command: [sh, -c, 'exit 4', --token, hunter2], pack: level.bin}")
        for file in FileManager.default.enumerator(atPath: bundle.folder.string)?.compactMap({ $0 as? String }) ?? [] {
            let bytes = FileManager.default.contents(atPath: bundle.folder.appending(file).string) ?? Data()
            #expect(!bytes.contains("hunter2".utf8), "\(file)")
        }
        #expect(throws: BundleError.incomplete(["workload"])) {
            try Replay(bundle, programs: Bench.programs, toolVersion: "1")
        }
        let again = try await play(bundle, times: 1, command: ["sh", "-c", "exit 4"])
        #expect(again.word == .deterministic)
    }
}
