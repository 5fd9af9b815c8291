import Results
import Testing

/// The verdict of a run, which combines its cells.
extension CellPlanTests {
    static let mixes: [([Verdict], Verdict, Int32)] = [
        ([], .infrastructure, 75), ([.pass], .pass, 0), ([.pass, .infrastructure], .infrastructure, 75),
        ([.infrastructure, .inconclusive, .pass], .inconclusive, 98),
        ([.infrastructure, .fail, .inconclusive, .pass], .fail, 99),
    ]

    @Test("verdicts combine to the one with the largest exit code", arguments: mixes)
    func combine(_ verdicts: [Verdict], _ expected: Verdict, _ exitCode: Int32) {
        #expect(Verdict.combining(verdicts) == expected)
        #expect(expected.exitCode == exitCode)
    }

    @Test("a run is as bad as its worst cell, and an interrupted run says so")
    func run() throws {
        func cell(_ attempts: [AttemptRecord]) throws -> CellResult {
            CellResult(
                scenario: "s", link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"),
                plan: try Self.plan(), attempts: attempts, startedAt: "2026-11-21T04:00:00Z", durationSeconds: 1)
        }
        func run(_ cells: [CellResult], _ findings: [Finding] = []) -> RunResult {
            RunResult(
                toolVersion: "0.1.0", commandLine: ["headwind", "run"], seed: 7,
                host: HostFacts(kernel: "6.18", architecture: "x86_64", processors: 2),
                startedAt: "2026-11-21T04:00:00Z", durationSeconds: 1, cells: cells, findings: findings)
        }
        let good = try cell(Self.attempts(1, 1, 1, 1, 1))
        let bad = try cell(Self.attempts(9, 9, 9, 9, 9))
        let broken = try cell(Self.attempts(1))
        #expect(run([good]).exitCode == 0)
        #expect(run([good, broken]).exitCode == 75)
        #expect(run([good, broken, bad]).exitCode == 99)
        #expect(run([]).exitCode == 65)
        let full = run([good], [Finding(.resultsDiskFull, "")])
        #expect(full.exitCode == 75)
        #expect(full.verdict == .infrastructure)
        #expect(run([good, bad], [Finding(.interrupted, "")]).exitCode == 130)
    }

    @Test(
        "a run with a missing cell never passes",
        arguments: [
            (nil, "1 of 6 cells finished, not 'a', 'b', 'c' and 2 more", 75),
            (Finding(.unfinished, ""), "1 of 6 cells finished, not 'a', 'b', 'c' and 2 more", 75),
            (Finding(.terminated, "so"), "so", 143),
        ] as [(Finding?, String, Int32)])
    func unfinished(_ ending: Finding?, _ detail: String, _ exitCode: Int32) throws {
        let good = CellResult(
            scenario: "s", link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"),
            plan: try Self.plan(), attempts: Self.attempts(1, 1, 1, 1, 1), startedAt: "2026-11-21T04:00:00Z",
            durationSeconds: 1)
        try #require(good.verdict == .pass)
        let run = RunResult(
            toolVersion: "0.1.0", commandLine: ["headwind", "run"], seed: 7,
            host: HostFacts(kernel: "6.18", architecture: "x86_64", processors: 2),
            startedAt: "2026-11-21T04:00:00Z", durationSeconds: 1, cells: [good],
            unfinished: ["a", "b", "c", "d", "e"], ending: ending)
        #expect(run.verdict == .infrastructure && run.exitCode == exitCode && !run.isWhole)
        #expect(run.plannedCells == 6 && run.findings.map(\.detail) == [detail])
    }
}
