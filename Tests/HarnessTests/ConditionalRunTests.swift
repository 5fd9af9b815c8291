import Results
import Testing

@testable import Harness
@testable import Links

/// Conditional requests, with the real client, host and link.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ConditionalRunTests {
    private static let steps = """
        catalog: adventure
        workload:
          - request: {id: asked, tags: [level-4], conditional: true}
          - begin: asked
          - end: asked
          - request: {id: again, tags: [level-4], conditional: true}
          - end: again
          - request: {id: other, tags: [level-5], conditional: true}
        budgets: {requests: each == 1}

        """

    @Test(arguments: [LinkBackend.packet, .proxy])
    func anAnswerCostsNothing(backend: LinkBackend) async throws {
        let bench = try Bench()
        var run = try bench.prepare(
            Self.steps
                + "expect: {asked: [not-here, available within 10 s], again: here, other: not-here, ends: balanced}")
        run.backend = backend
        let result = try await run.perform()
        #expect(result.exitCode == 0, "\(result.text)")
        let answers = try #require(result.cells[0].attempts.first?.answers)
        #expect(answers.map(\.isHere) == [false, true, false] && answers.allSatisfy { $0.fetches == 0 })
    }

    /// An app that is launched again, and has begun no request yet, has its manifest.
    @Test func storedPacksAreHereAfterALaunch() async throws {
        let bench = try Bench()
        let result = try await bench.run(
            """
            catalog: adventure
            workload:
              - request: {id: first, tags: [level-4]}
              - quit
              - launch
              - request: {id: there, tags: [level-4], conditional: true}
              - request: {id: other, tags: [level-5], conditional: true}
            expect: {there: here, other: not-here}
            budgets: {requests: each == 1}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    @Test func aWrongAnswerFails() async throws {
        let bench = try Bench()
        let result = try await bench.run(Self.steps + "expect: {asked: here, again: here, other: not-here}")
        #expect(result.exitCode == 99, "\(result.text)")
        #expect(result.text.contains("'asked' was answered 'not-here'"), "\(result.text)")
    }

    /// No request begins, so nothing is fetched over any link.
    @Test func nothingIsAskedOfAHostThatIsOffline() async throws {
        let bench = try Bench()
        let result = try await bench.run(
            """
            catalog: adventure
            link: {profile: offline}
            workload: [{request: {id: a, tags: [level-4], conditional: true}}]
            expect: {a: not-here}
            budgets: {requests: each == 0, bytes_on_wire: each == 0}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }
}
