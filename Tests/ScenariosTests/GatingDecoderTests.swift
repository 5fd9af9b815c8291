import Results
import Testing

@testable import Scenarios

/// Budgets that fail no run, and quarantines.
@Suite struct GatingDecoderTests {
    private static let minimal =
        "scenario: Test\npacks: ./packs\nlink: 3g\nworkload: [{request: {tags: [a]}}]\nattempts: 5\n"

    @Test func aLimitMayBeAdvisoryOrInQuarantine() throws {
        let text = """
            budgets:
              longest_stall: {limit: max <= 2 s, advisory: true}
              time_to_available:
                - max <= 9 s
                - {limit: [median <= 3 s, min <= 2 s], quarantine: {until: 2028-02-29, reason: "#481: the new stack"}}
              throughput: {limit: {packet: min >= 1 kbit/s, modelled: min >= 2 kbit/s}, advisory: true}
              requests: {limit: max <= 1, advisory: false}
            quarantine: {until: 2026-12-31, reason: flaky}
            """
        let cell = try scenario(Self.minimal + text).cells[0]
        let quarantined = Gating.quarantined(Quarantine(until: "2028-02-29", reason: "#481: the new stack"))
        #expect(
            cell.budgets(over: .packet).map(\.gating)
                == [.advisory, .blocking, quarantined, quarantined, .advisory, .blocking])
        #expect(cell.quarantine == Quarantine(until: "2026-12-31", reason: "flaky"))
    }

    @Test func aLimitMayNameTheMomentItCountsFrom() throws {
        let text = """
            budgets:
              time_to_available: [max <= 9 s, {limit: max <= 8 s, from: first-packet}, {limit: max <= 9 s, from: begin}]
            """
        let budgets = try scenario(Self.minimal + text).cells[0].budgets(over: .packet)
        #expect(budgets.map(\.origin) == [nil, .firstPacket, .begin])
    }

    static let problems = [
        Case(
            "an origin of no time", minimal + "budgets: {requests: {limit: max <= 1, from: first-packet}}\n",
            "6:39 'from' does not apply to requests"),
        Case(
            "an unknown origin", minimal + "budgets: {time_to_error: {limit: max <= 1 s, from: first-byte}}\n",
            "6:52 'first-byte' is not the moment at which times start"),
        Case(
            "no end", minimal + "quarantine: {reason: flaky}\n", "6:14 a quarantine needs the key 'until'"),
        Case("no reason", minimal + "quarantine: {until: 2026-12-31}\n", "6:14 a quarantine needs the key 'reason'"),
        Case("no day", minimal + "quarantine: {until: 2026-02-29, reason: x}\n", "6:21 there is no day 2026-02-29"),
        Case("a time", minimal + "quarantine: {until: 31.12.2026, reason: x}\n", "6:21 '31.12.2026' is not a day"),
        Case(
            "both",
            minimal
                + "budgets: {requests: {limit: max <= 1, advisory: true, quarantine: {until: 2026-12-31, reason: x}}}\n",
            "6:55 an advisory budget needs no quarantine | leave one of the two out"),
        Case(
            "no limit", minimal + "budgets: {requests: {limit: {advisory: true}}}\n",
            "6:30 the budgets of each fidelity needs the key 'packet'"),
        Case(
            "a percentile of few attempts", minimal + "budgets: {longest_stall: p95 <= 1 s}\n",
            "6:26 p95 needs at least 59 attempts, and the scenario asks for 5, at most 15 | write 'attempts: 59', or limit the max"
        ),
    ]

    @Test(arguments: problems) func problemsNameTheirPlace(_ test: Case) throws {
        let found = try ScenariosTests.problems(inScenario: test.text.utf8)
        for expected in test.problems { #expect(found.contains { $0.hasPrefix(expected) }, "\(expected) in \(found)") }
    }

    @Test func aPointOfTheMatrixMayBeInQuarantineAlone() throws {
        let text = """
            matrix: {link.profile: [3g, lte]}
            cells:
              - when: {link.profile: lte}
                quarantine: {until: 2026-12-31, reason: flaky}
            """
        let cells = try scenario(Self.minimal.replacing("link: 3g", with: "link: {profile: 3g}") + text).cells
        #expect(cells.map { $0.quarantine?.reason } == [nil, "flaky"])
    }
}
