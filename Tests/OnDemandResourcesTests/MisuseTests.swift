import Foundation
import ResourceLoading
import Testing

/// Calls out of order in a workload: each is refused and reported as an event, and affects nothing else.
@Suite(.timeLimit(.minutes(1)))
struct MisuseTests {
    private let pack = TestPack(name: "p", body: content(300_000), tags: ["t"])

    private func run(_ steps: String) async throws -> ClientResult {
        try await Fixture.run([pack]) { fixture in
            let file = fixture.folder.appending("workload.json").string
            try Data("{\"steps\": [\(steps)]}".utf8).write(to: URL(fileURLWithPath: file))
            return try await ClientProcess(fixture.configuration, ["--workload", file]).finish()
        }
    }

    static let wrong: [(String, String)] = [
        (#"{"request": {"id": "r", "tags": ["t"]}}, {"begin": "r"}, {"end": "r"}"#, "begun-twice"),
        (#"{"request": {"id": "r", "tags": ["t"]}}, {"end": "r"}, {"end": "r"}"#, "ended-twice"),
        (#"{"request": {"id": "r", "tags": ["t"]}}, {"end": "r"}, {"begin": "r"}"#, "begun-after-end"),
        (
            #"{"request": {"id": "r", "tags": ["t"], "conditional": true}}, {"end": "r"}, {"begin": "r"}, {"end": "r"}"#,
            "ended-before-begin"
        ),
        (
            #"{"request": {"id": "r", "tags": ["t"]}, "background": true}, {"end": "r", "wait": false}, {"end": "r"}"#,
            "ended-before-callback"
        ),
    ]

    @Test(arguments: wrong)
    func reportsAndRefusesACallOutOfOrder(steps: String, rule: String) async throws {
        let result = try await run(steps)
        let told = result.events.filter { $0.name == "misuse" }
        #expect(told.map { $0.text("rule") } == [rule])
        #expect(told.first?.text("id") == "r")
        #expect(result.names.filter { $0 == "available" } == ["available"])
        #expect(result.names.filter { $0 == "ended" } == ["ended"])
        #expect(result.status == 1)
    }

    @Test func conditionalThenBeginIsInOrder() async throws {
        let result = try await run(
            #"""
            {"request": {"id": "a", "tags": ["t"], "conditional": true}}, {"begin": "a"},
            {"request": {"id": "b", "tags": ["t"], "conditional": true}}, {"wait": "b"}, {"end": "b"}, {"end": "a"},
            {"request": {"id": "c", "tags": ["none"], "conditional": true}}, {"cancel": "c", "at": 0.5}
            """#)
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.names.contains("misuse"))
        let told = result.events.filter { ["conditional", "available", "ended"].contains($0.name) }
        #expect(
            told.map { "\($0.name) \($0.text("id") ?? "")" } == [
                "conditional a", "available a", "available b", "conditional b", "ended b", "ended a", "conditional c",
            ])
    }

    @Test func aRequestThatNoStepEndsStaysOpen() async throws {
        let result = try await run(#"{"request": {"id": "r", "tags": ["t"]}}"#)
        #expect(result.status == 0)
        #expect(!result.names.contains("ended"))
    }
}
