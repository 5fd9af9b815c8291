import Testing

@testable import Results

/// A cell with expectations of conduct.
@Suite("Expectations of conduct in a cell")
struct ConductCellTests {
    @Test("a check of conduct decides a cell, and identifies its failure")
    func cell() throws {
        var record = AttemptRecord(
            number: 1, seed: Seed(1), requests: [.init(id: "r1", result: .available)], conduct: ConductRecord())
        record.conduct?.packs = [.init("p", bytes: 9, requests: 5)]
        let plan = CellPlan(
            expectations: [RequestExpectation(.available())], conduct: [.retries(0...2), .callbackOnce], attempts: 1)
        let judgement = plan.judge([record])
        #expect(judgement.checks.map(\.name) == ["available", "retries", "callback"])
        #expect(judgement.checks.map(\.verdict) == [.pass, .fail, .pass] && judgement.exitCode == 99)
        #expect(plan.fingerprint(of: record).description == "retries")
        record.conduct?.packs = nil
        #expect(plan.judge([record]).exitCode == 65)
    }
}
