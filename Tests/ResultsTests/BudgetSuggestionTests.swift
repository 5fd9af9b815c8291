import Testing

@testable import Results

@Suite("Budgets from measurements")
struct BudgetSuggestionTests {
    private func cell(
        _ seconds: [Double], ideal: Double? = 10, change: (inout AttemptRecord) -> Void = { _ in }
    ) -> CellResult {
        let attempts = seconds.enumerated().map { index, seconds in
            var attempt = AttemptRecord(
                number: index + 1, seed: Seed(1),
                samples: Samples([
                    .timeToAvailable: .value(seconds), .longestStall: .value(seconds / 20), .redundantBytes: .value(0),
                    .requests: .value(3), .progressMonotonic: .value(1), .progressEndsAtOne: .value(0),
                    .progressDeviation: .value(0.017),
                ]),
                ideal: ideal.map { [.timeToAvailable: $0] } ?? [:],
                requests: [.init(id: "r1", tags: ["a"], result: .available, seconds: seconds)])
            change(&attempt)
            return attempt
        }
        return CellResult(
            scenario: "a", link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"),
            plan: CellPlan(expectations: [RequestExpectation(.available())], attempts: 1, maximumAttempts: 50),
            attempts: attempts, startedAt: "2026-11-22T10:00:00Z", durationSeconds: 60)
    }

    @Test("noisy metrics get a margin, others get none")
    func numbers() throws {
        let suggestion = try BudgetSuggestion(cell([11, 11.2, 10.9, 11.1, 11.3]), margin: 0.25, knowsIdeal: true)
        #expect(suggestion.attempts == 5)
        #expect(
            suggestion.budgets.map { "\($0.key): \($0.text)" } == [
                "time_to_available: median <= 1.45 x ideal", "longest_stall: median <= 710 ms",
                "redundant_bytes: max <= 0 B", "requests: max <= 3", "progress: [monotonic, honest within 3%]",
            ])
        let fixed = try BudgetSuggestion(cell([11, 11.2, 10.9, 11.1, 11.3]), margin: 0.1, knowsIdeal: false)
        #expect(fixed.budgets[0].text == "median <= 13 s")
        let slow = try BudgetSuggestion(cell([100, 101, 102, 103, 104]), margin: 0, knowsIdeal: true)
        #expect(slow.budgets[0].text == "median <= 110 s")
    }

    @Test("they can be parsed, and the same attempts keep them", arguments: [0, 0.05, 0.25, 3], [0.0123, 1, 777.7])
    func passes(_ margin: Double, _ scale: Double) throws {
        for ideal in [nil, scale * 0.9, scale * 0.01] {
            let cell = cell([1, 1.4, 0.97, 1.01, 2.2, 1.1, 1.3].map { $0 * scale }, ideal: ideal)
            let suggestion = try BudgetSuggestion(cell, margin: margin, knowsIdeal: true)
            let budgets = try suggestion.budgets.flatMap { key, text in
                try text.filter { !"[]".contains($0) }.split(separator: ",").map {
                    try Budget(key: key, text: String($0))
                }
            }
            let plan = CellPlan(budgets: budgets, attempts: 7)
            let judgement = plan.judge(cell.attempts)
            #expect(judgement.verdict == .pass, "\(suggestion.budgets) \(judgement.checks.map(\.sentence))")
        }
    }

    @Test("too few attempts, a failing client or a machine that was too busy give no budgets")
    func refusals() {
        func refusal(_ cell: CellResult) -> String? {
            do throws(BudgetSuggestion.Refusal) {
                _ = try BudgetSuggestion(cell, margin: 0.25, knowsIdeal: true)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(refusal(cell([1, 2, 3, 4], ideal: 0.5))?.contains("4 attempts count, and budgets need 5") == true)
        #expect(
            refusal(cell([1, 2, 3, 4, 5, 6, 7, 8, 9], ideal: 0.5) { $0.counts = $0.number < 6 })?.contains(
                "too busy in 4 of 9")
                == true)
        #expect(
            refusal(cell([1, 2, 3, 4, 5], ideal: 0.5) { $0.findings = [Finding(.contentWrong, "")] })?.contains(
                "client failed") == true
        )
        #expect(
            refusal(cell([1, 2, 3, 4, 5], ideal: 0.5) { $0.findings = [Finding(.hostDied, "")] })?.contains(
                "infrastructure")
                == true)
        #expect(
            refusal(cell([1, 2, 3, 4, 5], ideal: 0.5) { $0.requests[0].result = .error })?.contains("an expectation")
                == true)
    }
}
