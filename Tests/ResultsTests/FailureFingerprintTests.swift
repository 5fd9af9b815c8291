import Testing

@testable import Results

/// Which failures count as the same.
@Suite struct FailureFingerprintTests {
    private static func made(_ outcomes: [String], _ budgets: [String] = []) -> FailureFingerprint {
        FailureFingerprint(outcomes: outcomes, budgets: budgets)
    }

    @Test(arguments: [
        (made(["a: error exit 28"]), made(["a: error exit 28"]), true),
        (made(["a: error exit 28"], ["t.max"]), made(["a: error exit 28"], ["s.max"]), true),
        (made(["a: error exit 18"]), made(["a: error exit 28"]), false),
        (made(["a: error exit 28", "client_hung"]), made(["a: error exit 28"]), false),
        (made([], ["s.max", "t.max"]), made([], ["t.max"]), true),
        (made([], ["s.max"]), made([], ["t.max"]), false),
        (made(["a: no callback"], ["t.max"]), made([], ["t.max"]), false),
        (made([]), made(["a: error exit 28"]), false), (made([]), made([]), false),
    ])
    func isTheSameFailure(failure: FailureFingerprint, original: FailureFingerprint, isAgain: Bool) {
        #expect(failure.isAgain(original) == isAgain)
    }

    /// An attempt with the outcomes of two requests.
    private static func attempt(_ outcomes: [RequestOutcome], _ findings: [Finding] = []) -> AttemptRecord {
        AttemptRecord(number: 3, seed: Seed(1), requests: outcomes, findings: findings)
    }

    @Test func aFingerprintHasNoMessages() {
        let plan = CellPlan(
            expectations: [
                RequestExpectation(.available(), request: "r1"),
                RequestExpectation(.available(withinSeconds: 1), request: "r2"),
            ], attempts: 5)
        let first = RequestOutcome(id: "r1", result: .error, seconds: 3, domain: "D", code: -1001, message: "at 12:30")
        let late = RequestOutcome(id: "r2", result: .available, seconds: 2)
        let found = plan.fingerprint(of: Self.attempt([first, late], [Finding(.clientCrashed, "signal 11")]))
        #expect(found.outcomes == ["client_crashed", "r1.available: error D -1001", "r2.available: available"])
        let good = ["r1", "r2"].map { RequestOutcome(id: $0, result: .available, seconds: 0.5) }
        #expect(plan.fingerprint(of: Self.attempt(good)).isEmpty)
        let elsewhere = plan.fingerprint(of: Self.attempt(good, [Finding(.linkDied, "gone")]))
        #expect(elsewhere.isEmpty, "what is not the client's is not a failure")
    }

    @Test func theFirstBrokenAttemptBelongsToAFailedCheck() throws {
        func cell(_ results: [RequestOutcome.Result]) -> CellResult {
            let attempts = results.enumerated().map { index, result in
                AttemptRecord(
                    number: index + 1, seed: Seed(1), requests: [RequestOutcome(id: "r1", result: result, seconds: 1)])
            }
            return CellResult(
                scenario: "s", link: LinkFacts(profile: "p", backend: "proxy", fidelity: "modelled"),
                plan: CellPlan(expectations: [RequestExpectation(.available())], attempts: results.count),
                attempts: attempts, startedAt: "", durationSeconds: 1)
        }
        #expect(cell([.available, .error, .error]).firstBrokenAttempt?.number == 2)
        #expect(cell([.available, .available]).firstBrokenAttempt == nil)
    }
}
