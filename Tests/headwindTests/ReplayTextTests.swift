import Results
import Testing

@testable import headwind

/// The text of a replay for people.
@Suite("The text of a replay")
struct ReplayTextTests {
    private static func result(_ outcomes: ReplayResult.Outcome...) -> ReplayResult {
        let failure = FailureFingerprint(
            outcomes: ["content_incomplete", "error: available"], budgets: ["time_to_available.max"])
        let plays = outcomes.map { outcome in
            ReplayResult.Play(
                outcome: outcome, failure: outcome == .held ? nil : failure, sentences: [], seconds: 1.5)
        }
        var result = ReplayResult(cell: "body-short", failure: failure, times: plays.count)
        (result.plays, result.troubleCode) = (plays, 75)
        return result
    }

    @Test(
        "says first whether the failure came back, and last what to do next if the client passed",
        arguments: [
            (
                result(.held, .held),
                "not reproduced: the failure did not come back in 2 plays. The client passed each time.",
                true
            ),
            (
                result(.held), "not reproduced: the failure did not come back in 1 play. The client passed each time.",
                true
            ),
            (
                result(.held, .failedOtherwise),
                "not reproduced: the failure did not come back in 2 plays, but the client fails in another way in 1 of "
                    + "them.", false
            ),
            (result(.held, .cameBack), "probabilistic: the failure came back in 1 of 2 plays", false),
            (result(.notPlayed), "unknown: the failure came back in 0 of 0 plays, but you asked for 1", false),
        ])
    func verdict(_ result: ReplayResult, first: String, hasNext: Bool) {
        let lines = ReplayText.lines(result, next: "headwind check --only body-short -- curl")
        #expect(lines.first == first)
        #expect((lines.last == "Next: headwind check --only body-short -- curl") == hasNext)
        #expect(ReplayText.lines(result).allSatisfy { !$0.hasPrefix("Next") })
    }

    @Test("names the failure in sentences")
    func failure() {
        let line = ReplayText.lines(Self.result(.held))[1]
        #expect(
            line == "  the failure: The client reported a pack that had not fully arrived. Expected 'error', but got "
                + "'available'. The budget 'time_to_available.max' failed.")
    }

    @Test("has a line for each play")
    func play() {
        let plays = Self.result(.held, .cameBack).plays
        #expect(ReplayText.line(plays[0], number: 1, of: 2) == "headwind: play 1 of 2: the client passed (1.5 s)")
        #expect(
            ReplayText.line(plays[1], number: 2, of: 2) == "headwind: play 2 of 2: the failure came back (1.5 s)")
    }
}
