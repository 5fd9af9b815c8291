import Results
import Testing

@testable import Harness

/// Foreign clients that replace headwind-client and leave out some events.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct UntoldEventsTests {
    /// Runs a client that omits each line that contains one of `lines`.
    private func run(_ scenario: String, without lines: [String], status: Int = 0) async throws -> RunResult {
        let bench = try Bench()
        var programs = Bench.programs
        let rules = lines.map { "-e '/\($0)/d'" }.joined(separator: " ")
        // The numbers of the other lines would show that lines are missing.
        let script = #"'\#(programs.client)' "$@" | sed -e 's/,"n":[0-9]*//' \#(rules); exit \#(status)"#
        try programs.use(client: bench.script("client", script).string)
        return try await bench.run(scenario, programs: programs)
    }

    private static let two = """
        workload:
          - request: {id: level, tags: [level.bin]}
          - end: level
          - request: {id: again, tags: [level.bin]}
          - end: again

        """

    /// The client sends an exit event, but no callback, and takes no further step.
    @Test func aClientThatLeavesEarlyFails() async throws {
        let result = try await run(
            Self.two + """
                faults: [{pack: level.bin, status: 404}]
                patience: 1 s
                expect: {level: error -1008, again: error -1008}
                """,
            without: [#""event":"error""#, #""event":"ended""#, #""id":"again""#], status: 1)
        #expect(result.exitCode == 99, "\(result.text)")
        let findings = result.cells[0].findings.map(\.detail)
        #expect(findings.contains { $0.contains("never began 'again'") }, "\(findings)")
        #expect(result.cells[0].diagnoses?.first?.bug == .neverReportsError, "\(result.text)")
    }

    @Test func aClientThatReportsNoEndPasses() async throws {
        let scenario = Self.two + "expect: {ends: balanced, notification: none}"
        let result = try await run(scenario, without: [#""event":"ended""#])
        #expect(result.exitCode == 0, "\(result.text)")
        let sentences = result.cells[0].checks.map(\.sentence)
        #expect(sentences.contains("the client reports no end"), "\(sentences)")
        #expect(sentences.contains("the client reports no notification"), "\(sentences)")
        // A client that reports one end must report the others.
        let other = try await run(scenario, without: [#""event":"ended","id":"again""#])
        #expect(other.exitCode == 99 && other.cells[0].diagnoses?.first?.bug == .leaksPins, "\(other.text)")
    }

    @Test func progressThatIsNotReportedIsNotJudged() async throws {
        let scenario = "budgets: {progress: [monotonic, ends at 1]}"
        let result = try await run(scenario, without: [#""event":"progress""#])
        #expect(result.exitCode == 65 && result.attributions == [.metricMissing], "\(result.text)")
        #expect(result.cells[0].diagnoses?.isEmpty ?? true)
        let told = try await run(scenario, without: [#""event":"usage""#])
        #expect(told.exitCode == 0, "\(told.text)")
    }
}
