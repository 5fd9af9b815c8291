import Evidence
import Results
import Testing

@testable import Scenarios

/// What the answers of some checks say about others.
struct ClientAnswersTests {
    /// The answers to the check of TLS, and to a check that needs its trust.
    @Test(
        arguments: [
            (("holds", nil), ("holds", nil), "holds holds"),
            (("holds", nil), ("fails", "gives_up"), "holds fails"),
            (("fails", "gives_up"), ("holds", nil), "not_observable not_observable"),
            (("not_observable", nil), ("holds", nil), "not_observable not_observable"),
            (("fails", "gives_up"), ("fails", "claims_success"), "not_observable fails"),
            (("fails", "crashes"), ("holds", nil), "fails not_observable"),
            (("fails", "hangs"), ("fails", "hangs"), "fails fails"),
            (("fails", "wrong_data"), ("fails", "gives_up"), "fails not_observable"),
            (("fails", "wasteful"), ("holds", nil), "fails holds"),
            (("not_measured", nil), ("holds", nil), "not_measured not_measured"),
            (("not_measured", nil), ("fails", "crashes"), "not_measured fails"),
        ] as [((String, String?), (String, String?), String)])
    func trustIsJudgedByHowTLSFails(
        _ authority: (String, String?), _ other: (String, String?), _ expected: String
    ) throws {
        func row(_ answer: (String, String?)) throws -> ClientReport.Row {
            ClientReport.Row(
                name: "a", says: "A", answer: try #require(ClientReport.Answer(rawValue: answer.0)),
                severity: answer.1.flatMap(ClientReport.Severity.init(rawValue:)), detail: "seen so")
        }
        let asked = [
            AskedScenario(check: ClientCheck(says: "A", needs: [], role: .authority), name: "a"),
            AskedScenario(check: ClientCheck(says: "A", needs: [.authority]), name: "a"),
        ]
        let rows = ClientAnswers.withoutTrust([try row(authority), try row(other)], asked)
        #expect(rows.map(\.answer.rawValue).joined(separator: " ") == expected, "\(rows)")
    }

    @Test func aControlThatWasNotMeasuredSaysSo() throws {
        let noisy = ClientReport.Row(name: "good", says: "A", answer: .notMeasured, detail: "the machine was too busy")
        let (answer, why) = try #require(ClientAnswers.obstacle([noisy]))
        #expect(answer == .notMeasured && why == "the control was not measured: the machine was too busy")
        #expect(ClientAnswers.obstacle([ClientReport.Row(name: "good", says: "A", answer: .holds)]) == nil)
    }
}
