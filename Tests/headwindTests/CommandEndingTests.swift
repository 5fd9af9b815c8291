import ArgumentParser
import Scenarios
import SystemPackage
import Testing

@testable import Results
@testable import headwind

/// The exit status of a run, and the reason that is reported for it.
struct CommandEndingTests {
    private static func ending(code: Int32, _ failures: [(headwind.ExitStatus, String)]) -> CommandEnding {
        var ending = CommandEnding(code: code)
        for (status, reason) in failures {
            ending.attempt { throw CommandFailure(status, reason) }
        }
        return ending
    }

    @Test(
        arguments: [
            (0, [], 0, nil),
            (0, [(.infrastructure, "No room.")], 75, "No room."),
            (0, [(.infrastructure, "No room."), (.usage, "No\nplace.")], 75, "No room. No\\u{A}place."),
            (99, [(.infrastructure, "No room.")], 99, nil),
        ] as [(Int32, [(headwind.ExitStatus, String)], Int32, String?)])
    func reportsSayTheStatus(code: Int32, failures: [(headwind.ExitStatus, String)], status: Int32, reason: String?)
        throws
    {
        let ending = Self.ending(code: code, failures)
        #expect(ending.status == status)
        #expect(ending.process?.reason == reason)
        #expect(ending.process?.code == reason.map { _ in status })
        if status == 0 {
            try ending.finish()
        } else {
            #expect(throws: ExitCode(status)) { try ending.finish() }
        }
    }

    /// A cell with five attempts that count, after `repeated` ones that do not.
    private static func cell(_ scenario: String, repeated: Int = 0) -> CellResult {
        let attempts = (1...5 + repeated).map { number in
            AttemptRecord(
                number: number, counts: number > repeated, seed: Seed(1), samples: Samples([.requests: .value(3)]),
                requests: [.init(id: "r1", tags: ["a"], result: .available, seconds: 1)])
        }
        return CellResult(
            scenario: scenario, link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"),
            plan: CellPlan(expectations: [RequestExpectation(.available())], attempts: 1, maximumAttempts: 50),
            attempts: attempts, startedAt: "2026-11-22T10:00:00Z", durationSeconds: 60)
    }

    /// Suggested budgets say that the machine was busy, wherever they are shown.
    @Test(arguments: [(0, nil), (1, "1 of 6"), (2, "2 of 7")] as [(Int, String?)])
    func suggestedBudgetsSayHowBusyTheMachineWas(repeated: Int, share: String?) throws {
        let cell = Self.cell("a", repeated: repeated)
        let lines = SuggestedBudgets.lines(
            cell, try BudgetSuggestion(cell, margin: 0.25, knowsIdeal: true), indent: "  ")
        let warning = share.map {
            "  # the machine was too busy in \($0) attempts; measure again on a quieter one\n"
        }
        #expect(
            lines == "  # of 5 attempts over 3g by proxy (fidelity: modelled)\n" + (warning ?? "")
                + "  requests: max <= 3\n")
        #expect((SuggestedBudgets.noise(in: cell) == nil) == (share == nil))
    }

    /// With `--only`, one cell of a matrix may be left, whose limits are not those of the others.
    @Test(arguments: [("", "budgets:\n"), ("matrix: {link.seed: [1, 2]}", "cells:\n  - when: {link.seed: ")])
    func suggestedBudgetsAreForTheirPointOfAMatrix(matrix: String, start: String) throws {
        let text = """
            scenario: T
            catalog: adventure
            link: {downlink: {rate: 8 Mbit/s, delay: 5 ms}}
            workload: [{request: {tags: [level-4]}}]
            \(matrix)

            """
        let loader = ScenarioLoader(profiles: ProfileLibrary(folder: FilePath("/none")))
        var scenario = try loader.load(text: text, named: "s", in: FilePath("/none"))
        scenario.cells.removeFirst(scenario.cells.count - 1)
        let run = RunResult(
            toolVersion: "1", commandLine: [], seed: 1,
            host: HostFacts(kernel: "6.1", architecture: "x86_64", processors: 2),
            startedAt: "2026-11-22T10:00:00Z", durationSeconds: 60, cells: [Self.cell(scenario.cells[0].id)])
        let suggested = SuggestedBudgets(run, of: [scenario], margin: 0.25)
        #expect(suggested.refusals.isEmpty)
        #expect(suggested.text.contains("margin 25 %\n" + start), "\(suggested.text)")
    }
}
