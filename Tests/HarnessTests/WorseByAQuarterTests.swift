import Foundation
import Reports
import ResultFiles
import Scenarios
import SystemPackage
import Testing

@testable import Harness
@testable import Results

/// A metric that gets worse by a quarter breaks its budget, and the report says which one, by how much and where.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct WorseByAQuarterTests {
    /// One budget of one bundled cell.
    struct Case: Sendable, CustomTestStringConvertible {
        var cell: Cell
        var fidelity: Link.Fidelity
        var budget: Budget
        var testDescription: String { "\(cell.id), \(fidelity.rawValue): \(budget.key) \(budget)" }
    }

    static let cases: [Case] = {
        let loader = ScenarioLoader(profiles: Bench.profiles)
        let scenarios = (try? loader.load(Bench.root.appending("scenarios"))) ?? []
        return scenarios.flatMap(\.cells).flatMap { cell in
            [Link.Fidelity.packet, .modelled].flatMap { fidelity in
                cell.budgets(over: fidelity).map { Case(cell: cell, fidelity: fidelity, budget: $0) }
            }
        }
    }()

    /// Seconds that a perfect transfer takes here.
    static let ideal = 2.0

    @Test func everyBundledScenarioIsThere() {
        #expect(Self.cases.count > 40)
    }

    @Test(arguments: cases) func bundledBudget(_ test: Case) throws {
        let held = Self.result(of: test, factor: 1)
        #expect(held.exitCode == 0, "\(held.text)")
        let worse = Self.result(of: test, factor: 1.25)
        #expect(worse.exitCode == 99, "\(worse.text)")
        let check = try #require(worse.cells[0].checks.first { $0.verdict == .fail })
        #expect(check.name == test.budget.name)
        let evidence = try #require(check.evidence)
        #expect(evidence.limit != nil)
        #expect(!evidence.values.contains(nil))
        for format in [ReportFormat.json, .junit, .markdown] {
            let text = try format.render(worse).replacing("\\", with: "")
            #expect(text.contains(test.budget.name) || text.contains(test.budget.key), "\(text)")
        }
        #expect(worse.text.contains(test.budget.key), "\(worse.text)")
        guard test.budget.metric.unit != .truth else { return }
        let limit = Quantity(try #require(evidence.limit), test.budget.metric.unit)
        let measured = Quantity(try #require(evidence.measured), test.budget.metric.unit)
        let pair = Quantity.pair(measured, limit: limit)
        #expect(worse.text.contains(pair.number) && worse.text.contains(pair.limit), "\(worse.text)")
    }

    /// Attempts that keep every budget of the cell exactly, except one that `factor` makes worse.
    private static func result(of test: Case, factor: Double) -> RunResult {
        let cell = test.cell
        let budgets = cell.budgets(over: test.fidelity)
        let plan = CellPlan(
            expectations: cell.expectations.requests, budgets: budgets, attempts: max(5, cell.attempts.min))
        let attempts = (1...plan.attempts).map { number in
            var record = AttemptRecord(
                number: number, seed: Seed(1), ideal: [.timeToAvailable: ideal, .timeToFirstByte: 0.2],
                requests: outcomes(of: cell))
            record.answers = cell.expectations.requests.compactMap { expected in
                guard case .answer(let isHere) = expected.expectation, let id = expected.request else { return nil }
                return RequestAnswer(id: id, isHere: isHere)
            }
            for budget in budgets {
                record.samples.set(budget.metric, sample(of: budget, factor: budget == test.budget ? factor : 1))
            }
            return record
        }
        let result = CellResult(
            scenario: cell.id, link: LinkFacts(profile: "3g", backend: "proxy", fidelity: test.fidelity.rawValue),
            plan: plan,
            attempts: attempts, startedAt: "2026-01-01T00:00:00Z", durationSeconds: 1)
        return RunResult(
            toolVersion: "1", commandLine: ["headwind"], seed: 1, host: .ofThisMachine,
            startedAt: "2026-01-01T00:00:00Z", durationSeconds: 1, cells: [result])
    }

    private static func sample(of budget: Budget, factor: Double) -> Double? {
        if budget.metric.unit == .truth { return factor == 1 ? 1 : 0 }
        let basis = budget.metric == .timeToFirstByte ? 0.2 : ideal
        guard let limit = budget.bound.limit(basis: basis) else { return nil }
        // A quarter of nothing is nothing: one is the least that exceeds a limit of zero.
        if limit == 0 { return factor == 1 ? 0 : 1 }
        return budget.comparator.isLowerLimit ? limit / factor : limit * factor
    }

    private static func outcomes(of cell: Cell) -> [RequestOutcome] {
        cell.workload.names.map { id in
            let expected = cell.expectations.requests.first { ($0.request ?? id) == id }?.expectation
            switch expected {
            case .error(let failure, _):
                return RequestOutcome(
                    id: id, result: .error, seconds: 0.1, domain: failure.domain, code: failure.code,
                    errorClass: failure.errorClass)
            default:
                return RequestOutcome(id: id, result: .available, seconds: 0.1)
            }
        }
    }

    // Real runs: a host that does a little wrong, and a client that does nothing about it.

    static let real = [
        EndToEndTests.Case(
            testDescription: "a host that sends a quarter more slowly",
            scenario: """
                faults: [{pack: any, drip: 100 kB/s}]
                link: {downlink: {rate: 1 Mbit/s, delay: 10 ms}, uplink: {rate: 1 Mbit/s, delay: 10 ms}}
                budgets: {time_to_available: max <= 1.1 x ideal}
                """,
            exitCode: 99, words: ["time_to_available", "x ideal"]),
        EndToEndTests.Case(
            testDescription: "a head that comes late",
            scenario: """
                faults: [{pack: any, late-head: 300 ms}]
                budgets: {time_to_first_byte: max <= 1.15 x ideal + 50 ms}
                """,
            exitCode: 99, words: ["time_to_first_byte", "x ideal"]),
        EndToEndTests.Case(
            testDescription: "a stall",
            scenario: """
                faults: [{pack: any, stall: {at: 50 %, for: 625 ms}}]
                budgets: {longest_stall: max <= 500 ms}
                """,
            exitCode: 99, words: ["longest_stall", "500 ms"]),
        EndToEndTests.Case(
            testDescription: "a try too many",
            scenario: """
                faults: [{pack: any, try: 1, status: 503, retry-after: 0 s}]
                budgets: {retries: max <= 0, requests: max <= 1}
                """,
            exitCode: 99, words: ["retries", "requests"]),
    ]

    @Test(arguments: real) func realFault(_ test: EndToEndTests.Case) async throws {
        try await EndToEndTests.check(test)
    }
}
