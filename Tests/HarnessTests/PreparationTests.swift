import Scenarios
import Testing

@testable import Harness

/// Errors that only a scenario's content reveals are reported before anything starts, with their place in the file.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(1)))
struct PreparationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var scenario: String
        /// A part of the one diagnostic.
        var message: String
    }

    static let wrong = [
        Case(
            testDescription: "a pack that there is not",
            scenario: "workload: {command: [curl, '{url}'], pack: levle.bin}",
            message: ":5:44: no downloaded pack has the name or tag 'levle.bin'; did you mean 'level.bin'?"),
        Case(
            testDescription: "a fault of a pack that there is not",
            scenario: "faults: [{pack: nothing, status: 404}]",
            message: ":6:17: no downloaded pack has the name or tag 'nothing'; the tags are level.bin"),
        Case(
            testDescription: "a purge of a pack that there is not", scenario: "expect: {purged: [levle.bin]}",
            message: ":6:19: no downloaded pack has the name or tag 'levle.bin'; did you mean 'level.bin'?"),
        Case(
            testDescription: "a pack to keep that there is not", scenario: "expect: {kept: [levle.bin]}",
            message: ":6:17: no downloaded pack has the name or tag 'levle.bin'; did you mean 'level.bin'?"),
        Case(
            testDescription: "a link fault by a pack that there is not",
            scenario: "faults: [{after: 40 % of nothing, link: silent}]",
            message: ":6:18: no downloaded pack has the name or tag 'nothing'"),
        Case(
            testDescription: "a file like a pack that there is not",
            scenario: """
                workload: {command: [curl, '{url}'], pack: level.bin}
                expect: {files: {a: nothing}}
                """, message: ":6:21: no downloaded pack has the name or tag 'nothing'"),
        Case(
            testDescription: "a tag of several packs where one is needed",
            scenario: """
                catalog: shapes
                workload: {command: [curl, '{url}'], pack: red}
                """,
            message: ":5:44: 'red' means 4 packs, and this needs one; name one of them: circle+red"),
        Case(
            testDescription: "a fault of a pack that no request asks for",
            scenario:
                "catalog: shapes\nworkload: [{request: {tags: [red]}}]\nfaults: [{pack: square+blue, status: 404}]",
            message:
                ":6:17: no request asks for 'square+blue', so its fault would never happen; name one that is requested"),
        Case(
            testDescription: "a link fault by a pack that no request asks for",
            scenario: """
                catalog: shapes
                workload: [{request: {tags: [red]}}]
                faults: [{after: 40 % of square+blue, link: silent}]
                """, message: ":6:18: no request asks for 'square+blue'"),
        Case(
            testDescription: "a deadline that nobody can keep",
            scenario: """
                link: {downlink: {rate: 10 kbit/s}}
                deadline: 150 s
                """,
            message: ":5:11: a perfect client takes 166 s over this link, and the deadline is 150 s"),
        Case(
            testDescription: "the same of a command",
            scenario: """
                workload: {command: [curl, -o, '{output}', '{url}'], pack: level.bin}
                link: {downlink: {rate: 10 kbit/s}}
                deadline: 100 s
                """,
            message: "and the deadline is 100 s; write 'deadline: 340 s', or leave it out"),
        Case(
            testDescription: "a budget that an outage of its own breaks",
            scenario: """
                workload: {command: [curl, -o, '{output}', '{url}'], pack: level.bin}
                faults: [{after: 1 kB, link: silent, for: 15 s}]
                budgets: {time_to_available: max <= 5 s}
                """,
            message: "the limit of 5 s is shorter than an outage of this scenario, which lasts 15 s; 'ideal' ignores"),
        Case(
            testDescription: "the same of a share, and of a multiple",
            scenario: """
                faults: [{after: 40 % of level.bin, link: no-route, for: 15 s}]
                budgets: {time_to_available: max <= 2 x ideal + 3 s}
                """,
            message: "is shorter than an outage of this scenario, which lasts 15 s"),
        Case(
            testDescription: "a script's program that there is not",
            scenario: "workload: {command: 'no-such-program {url}', pack: level.bin}",
            message: ":5:21: the script starts with 'no-such-program', and there is no such program"),
        Case(
            testDescription: "a script's program beside the scenario",
            scenario: "workload: {command: './mine {url}', pack: level.bin}",
            message:
                ":5:21: a script runs in an empty folder, which has no './mine'; to use one beside the scenario, write a list"
        ),
        Case(
            testDescription: "a pattern without a file",
            scenario: "catalog: {folder: ./content/, tags: ./tags.json}",
            message: "no file below"),
        Case(
            testDescription: "a token that is not in the environment",
            scenario: "host: {url: 'http://127.0.0.1:9/', token-env: HEADWIND_TESTS_NO_SUCH_VARIABLE}",
            message: "'HEADWIND_TESTS_NO_SUCH_VARIABLE', which is not set"),
    ]

    @Test(arguments: wrong) func isRefused(_ test: Case) async throws {
        let bench = try Bench()
        try bench.write("content/a.txt", Array("a".utf8))
        try bench.write("tags.json", Array(#"{"bundle": "a.b", "tags": {"a": ["nowhere/**"]}}"#.utf8))
        let error = try await #require(throws: InvalidFiles.self) { try await bench.run(test.scenario) }
        let diagnostic = try #require(error.diagnostics.first)
        #expect(error.diagnostics.count == 1)
        #expect(diagnostic.description.contains(test.message), "\(diagnostic)")
        #expect(diagnostic.file == bench.folder.appending("test.yaml").string)
    }

    /// What may exist, or cannot be checked beforehand, is not refused.
    @Test(arguments: [
        "workload: {command: 'set -e; no-such-program {url}', pack: level.bin}",
        "workload: {command: 'no-such-program {url}', pack: level.bin}\nexpect: {exit: 127}",
        "workload: {command: './packs/level.bin {url}', pack: level.bin, directory: .}\nexpect: {exit: 127}",
        "workload: {command: 'PATH=/ curl {url}', pack: level.bin}",
        "faults: [{after: start, wait: 60 s, link: silent, for: 15 s}]\nbudgets: {time_to_available: max <= 5 s}",
        "link: {downlink: {rate: 10 kbit/s}}\ndeadline: 100 s\nexpect: error",
        "link: {downlink: {rate: 10 kbit/s}}\ndeadline: 100 s\nfaults: [{after: 1 s, link: wifi}]",
        "catalog: shapes\nworkload: [install, launch, {request: {tags: [red]}}]\nfaults: [{pack: square+blue, status: 404}]",
    ])
    func isAccepted(_ scenario: String) async throws {
        let bench = try Bench()
        try await bench.prepare(scenario).check()
        withExtendedLifetime(bench) {}
    }

    /// Without a deadline of its own, an attempt has about twice the time of a perfect client, and at least 120 s.
    @Test(arguments: [("20 Mbit/s", 120), ("10 kbit/s", 340)])
    func theDeadlineFollowsFromTheIdeal(_ rate: String, _ seconds: Int64) throws {
        let bench = try Bench()
        let text =
            "scenario: A\npacks: ./packs/\nlink: {downlink: {rate: \(rate)}}\nworkload: [{request: {tags: [level.bin]}}]"
        let file = try bench.write("a.yaml", Array(text.utf8))
        let cell = try #require(try ScenarioLoader(profiles: Bench.profiles).load(file).first?.cells.first)
        let content = try ContentStore(scratch: bench.folder.appending("scratch")).prepare(cell)
        #expect(cell.withDeadline(content).deadline == .seconds(seconds))
        #expect(cell.deadline == .seconds(120) && cell.withDeadline(nil).deadline == .seconds(120))
    }

    /// Patterns apply to the content's folder, although the tag file lies elsewhere.
    @Test func patternsBeginAtTheFolder() async throws {
        let bench = try Bench()
        try bench.write("content/levels/a.txt", Array("a".utf8))
        try bench.write("tags.json", Array(#"{"bundle": "a.b", "tags": {"a": ["levels/**"]}}"#.utf8))
        let result = try await bench.run(
            """
            catalog: {folder: ./content/, tags: ./tags.json}
            workload: [{request: {tags: [a]}}]
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    /// A client's output lies in the folder that the pack's name says.
    @Test func theOutputHasItsFolder() async throws {
        let bench = try Bench(packs: ["sub/inner.bin": 20_000])
        let result = try await bench.run(
            """
            workload: {command: [curl, -fsS, -o, "{output}", "{url}"], pack: sub/inner.bin}
            expect: {exit: 0, files: {sub/inner.bin: sub/inner.bin}}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }
}
