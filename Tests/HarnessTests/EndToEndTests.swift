import AssetPacks
import Foundation
import PackFormat
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// The real client and foreign commands, over a real host and link, from a scenario's text to a verdict.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct EndToEndTests {
    /// A scenario, its expected exit code, and words that its report must have.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var scenario: String
        var exitCode: Int32 = 0
        var words: [String] = []
        /// Whether attempts on a busy machine do not count, and the run is repeated if none does.
        var measuresTime = false
    }

    static let builtIn = [
        Case(
            testDescription: "a pass",
            scenario: """
                budgets:
                  time_to_available: max <= 10 s
                  redundant_bytes: max <= 0
                  requests: max <= 1
                  retries: max <= 0
                  progress: [monotonic, ends at 1]
                attempts: 2
                """,
            words: ["pass"]),
        Case(
            testDescription: "a failed budget, with metric, limit and measured values",
            scenario: "budgets: {time_to_available: max <= 20 ms}", exitCode: 99,
            words: ["time_to_available", "> 20 ms", "n=1"]),
        Case(
            testDescription: "an expected error",
            scenario: """
                faults: [{pack: level.bin, status: 404}]
                expect: {error: {domain: NSURLErrorDomain, code: -1008, class: network}}
                """),
        Case(
            testDescription: "an error that is not expected",
            scenario: "faults: [{pack: level.bin, status: 404}]", exitCode: 99, words: ["-1008"]),
        Case(
            testDescription: "an error of another kind than expected",
            scenario: """
                faults: [{pack: level.bin, status: 404}]
                expect: {error: {domain: NSURLErrorDomain, code: -1009}}
                """,
            exitCode: 99),
        Case(
            testDescription: "the first answer is waited for, and that it is an error makes no difference",
            scenario: """
                faults: [{pack: level.bin, status: 404}, {pack: level.bin, late-head: 600 ms}]
                expect: {error: {domain: NSURLErrorDomain, code: -1008}}
                budgets: {time_to_first_response: [min >= 600 ms, max <= 10 s]}
                """),
        Case(
            testDescription: "an answer comes before the first byte of a body that is late",
            scenario: """
                faults: [{pack: level.bin, stall: {at: 0 B, for: 2 s}}]
                budgets: {time_to_first_response: max <= 1900 ms, time_to_first_byte: min >= 1990 ms}
                """),
        Case(
            testDescription: "a host that never answers",
            scenario: """
                faults: [{pack: level.bin, no-head: true}]
                patience: 500 ms
                expect: {error: {domain: NSURLErrorDomain, code: -1001}}
                budgets: {time_to_first_response: max <= 60 s}
                """,
            exitCode: 99, words: ["time_to_first_response", "never"]),
        Case(
            testDescription: "a slow handshake",
            scenario: """
                tls: true
                faults: [{pack: any, try: 1, slow-tls: 700 ms}]
                budgets: {time_to_first_response: min >= 700 ms, requests: each == 1}
                """),
        Case(
            testDescription: "a slow handshake of a schedule",
            scenario: """
                tls: true
                schedule: ["L1 TLS * from=0 try=1 slow-tls=700ms"]
                budgets: {time_to_first_response: min >= 700 ms}
                """),
        Case(
            testDescription: "a client that does not wait so long for a handshake",
            scenario: """
                tls: true
                faults: [{pack: any, slow-tls: 30 s}]
                patience: 500 ms
                expect: {error: {domain: NSURLErrorDomain, code: -1001}}
                budgets: {requests: each == 0}
                """),
        Case(
            testDescription: "a slow handshake that no connection meets",
            scenario: """
                tls: true
                faults: [{pack: any, try: 9, slow-tls: 1 s}]
                """,
            exitCode: 65, words: ["affected no answer"]),
        Case(testDescription: "HTTPS", scenario: "tls: true\nbudgets: {time_to_available: max <= 10 s}"),
        Case(
            testDescription: "a cut is resumed where it was cut",
            scenario: """
                faults: [{pack: level.bin, try: 1, cut: {at: 40 %, how: fin}}]
                budgets: {requests: each == 2, retries: each == 1, redundant_bytes: max <= 0}
                """),
        Case(
            testDescription: "a host that ignores ranges costs what was there",
            scenario: """
                faults: [{pack: level.bin, try: 1, cut: {at: 40 %, how: fin}}, {pack: level.bin, ignore-range: true}]
                budgets: {redundant_bytes: max <= 0}
                """,
            exitCode: 99, words: ["redundant_bytes"]),
        Case(
            testDescription: "a pause is not a gap in progress, and costs no byte",
            scenario: """
                workload:
                  - request: {id: level, tags: [level.bin], background: true}
                  - pause: level after 20 %
                  - sleep: 700 ms
                  - resume: level
                  - wait: level
                budgets: {progress_longest_gap: max <= 600 ms, redundant_bytes: max <= 0, requests: each == 1}
                link: {downlink: {rate: 1 Mbit/s}, uplink: {rate: 1 Mbit/s}, rtt: 10 ms}
                """),
        Case(
            testDescription: "a link that is silent for a while",
            scenario: """
                faults: [{after: 30 % of level.bin, link: silent, for: 300 ms}]
                budgets: {longest_stall: [max <= 5 s, min >= 290 ms], redundant_bytes: max <= 0}
                """),
        Case(
            testDescription: "a link that is offline from a moment on",
            scenario: """
                faults: [{after: 30 % of level.bin, link: no-route}]
                patience: 1 s
                expect: {error: {domain: NSURLErrorDomain, class: network}}
                """),
    ]

    @Test(arguments: builtIn) func builtInClient(_ test: Case) async throws {
        try await Self.check(test)
    }

    static func check(_ test: Case, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let bench = try Bench()
        var dependencies = AttemptDependencies.quiet
        if test.measuresTime { dependencies.noiseLimits = AttemptDependencies().noiseLimits }
        var result = try await bench.run(test.scenario, dependencies: dependencies)
        for turn in 1...8 where test.measuresTime && result.exitCode == 75 {
            try await Task.sleep(for: .seconds(turn))
            result = try await bench.run(test.scenario, dependencies: dependencies)
        }
        #expect(result.exitCode == test.exitCode, "\(result.text)", sourceLocation: sourceLocation)
        for word in test.words {
            #expect(
                result.text.localizedCaseInsensitiveContains(word), "\(result.text)", sourceLocation: sourceLocation)
        }
        // No byte of a body comes before the head; both times are in steps of 10 ms.
        for samples in result.cells.flatMap(\.attempts).map(\.samples) {
            guard let byte = samples[.timeToFirstByte].value, let head = samples[.timeToFirstResponse].value else {
                continue
            }
            #expect(head <= byte + 0.02, "\(result.text)", sourceLocation: sourceLocation)
        }
    }

    /// The probe, the noise check and the passive measurements find nothing wrong in a run of the whole harness.
    @Test func everythingOfARunAtOnce() async throws {
        let bench = try Bench()
        var dependencies = AttemptDependencies()
        // Other load on the machine is not what this tests.
        dependencies.noiseLimits = .none
        var run = try bench.prepare(SabotageTests.budgets, dependencies: dependencies)
        run.output = bench.folder.appending("results")
        let result = try await run.perform()
        #expect([0, 75].contains(result.exitCode), "\(result.text)")
        #expect(result.attributions.isSubset(of: [.rateOff, .delayOff]), "\(result.text)")
        for name in ["result.json", "events.jsonl", "junit.xml", "summary.md"] {
            let text = try String(contentsOfFile: bench.folder.appending("results/\(name)").string, encoding: .utf8)
            #expect(!text.isEmpty)
        }
        let json = try Data(contentsOf: URL(filePath: bench.folder.appending("results/result.json").string))
        #expect(try JSONDecoder().decode(RunResult.self, from: json).exitCode == result.exitCode)
    }

    /// If the manifest names its host, the link leads there, and the real host gets no request.
    @Test(arguments: ["https://cdn.example.com/packs/", "https://cdn.example.com:8443/x/"])
    func absoluteAddresses(prefix: String) async throws {
        let bench = try Bench()
        let catalog = try BuiltInCatalog.shapes.write(to: bench.folder.appending("catalog"))
        _ = try AssetPackBuilder(limits: .ios2015, urlPrefix: prefix).build(
            catalog, to: bench.folder.appending("built"))
        let result = try await bench.run(
            """
            packs: ./built/
            tls: true
            workload: [{request: {tags: [blue, circle]}}]
            budgets: {redundant_bytes: max <= 0, requests: max <= 9}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    @Test func absoluteAddressesOfAnotherScheme() async throws {
        let bench = try Bench()
        let catalog = try BuiltInCatalog.shapes.write(to: bench.folder.appending("catalog"))
        let builder = AssetPackBuilder(limits: .ios2015, urlPrefix: "https://cdn.example.com/")
        _ = try builder.build(catalog, to: bench.folder.appending("built"))
        let error = try await #require(throws: InvalidFiles.self) {
            try await bench.run("packs: ./built/\nworkload: [{request: {tags: [blue]}}]")
        }
        #expect(error.description.contains("test.yaml:4:1: The manifest says 'https://cdn.example.com/"), "\(error)")
        #expect(error.description.contains("tls: true"))
    }
}
