import Results
import Testing

@testable import Scenarios

/// Budgets with one limit over packets and another over a model.
@Suite struct FidelityBudgetTests {
    private static let minimal =
        "scenario: Test\npacks: ./packs\nlink: 3g\nworkload: [{request: {tags: [a]}}]\nattempts: 5\n"

    @Test func eachFidelityHasItsOwnBudgetsInTheOrderOfTheFile() throws {
        let text = """
            budgets:
              longest_stall: {packet: max <= 2 s, modelled: [max <= 3 s, min >= 1 ms]}
              requests: max <= 1
              progress: [monotonic, {packet: honest within 2 %, modelled: honest within 3 %}, ends at 1]
            """
        let cell = try scenario(Self.minimal + text).cells[0]
        func texts(_ fidelity: Link.Fidelity) -> [String] { cell.budgets(over: fidelity).map(\.description) }
        #expect(
            texts(.packet) == ["max <= 2 s", "max <= 1", "monotonic", "honest within 2%", "ends at 1"])
        #expect(
            texts(.modelled)
                == ["max <= 3 s", "min >= 1 ms", "max <= 1", "monotonic", "honest within 3%", "ends at 1"])
        #expect(texts(.any).count == 8)
    }

    static let problems = [
        Case(
            "one alone", minimal + "budgets: {longest_stall: {packet: max <= 2 s}}\n",
            "6:27 the budgets of each fidelity needs the key 'modelled'"),
        Case(
            "misspelt", minimal + "budgets: {longest_stall: {packets: max <= 2 s, modelled: max <= 1 s}}\n",
            "6:27 there is no key 'packets' in the budgets of each fidelity | did you mean 'packet'?"),
        Case(
            "wrong in the second", minimal + "budgets: {longest_stall: {packet: max <= 2 s, modelled: max <= 2}}\n",
            "6:65 a unit is expected after the number"),
        Case(
            "wrong in a list", minimal + "budgets: {longest_stall: [{packet: max <= 2 s, modelled: mx <= 2 s}]}\n",
            "6:58 'mx'"),
        Case(
            "too few attempts for one",
            minimal.replacing("attempts: 5", with: "attempts: 1")
                + "budgets: {longest_stall: {packet: max <= 2 s, modelled: median <= 2 s}}\n",
            "6:57 median needs at least 5 attempts"),
        Case(
            "the client's doing", minimal + "budgets: {requests: {packet: max <= 2, modelled: max <= 1}}\n",
            "6:22 this metric depends only on the client, so it is the same over packets and over a model | write one budget for both",
            "6:40 this metric depends only on the client, so it is the same over packets and over a model | write one budget for both"
        ),
        Case(
            "the client's doing, told",
            minimal + "budgets: {progress: [{packet: monotonic, modelled: honest within 1 %}]}\n",
            "6:23 this metric depends only on the client"),
    ]

    @Test(arguments: problems) func problemsNameTheirPlace(_ test: Case) throws {
        let found = try ScenariosTests.problems(inScenario: test.text.utf8)
        #expect(found.count == test.problems.count, "\(found)")
        for (problem, expected) in zip(found, test.problems) { #expect(problem.hasPrefix(expected), "\(found)") }
    }
}
