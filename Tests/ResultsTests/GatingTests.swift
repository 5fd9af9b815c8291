import Testing

@testable import Results

@Suite("Gating: which checks decide the verdict")
struct GatingTests {
    private static func budget(_ text: String, _ gating: Gating = .blocking) throws -> Budget {
        var budget = try Budget(key: "time_to_available", text: text)
        budget.gating = gating
        return budget
    }

    private static let quarantine = Quarantine(until: "2026-12-31", reason: "a new stack")

    private static func cell(_ plan: CellPlan, _ seconds: [Double] = [3]) -> CellResult {
        let attempts = seconds.enumerated().map { index, seconds in
            var samples = Samples()
            samples[.timeToAvailable] = .value(seconds)
            return AttemptRecord(
                number: index + 1, seed: Seed(1), samples: samples,
                requests: [.init(id: "r1", result: .available, seconds: seconds)],
                link: [.init(.delay, .downlink, set: 0.1, measured: 0.101, toleranceRatio: 0.05, method: "probe")])
        }
        return CellResult(
            scenario: "a", link: LinkFacts(profile: "p", backend: "packet", fidelity: "packet"), plan: plan,
            attempts: attempts, startedAt: "2026-11-22T00:00:00Z", durationSeconds: 1)
    }

    private static func run(_ cells: [CellResult], _ onInconclusive: RunResult.OnInconclusive = .fail) -> RunResult {
        RunResult(
            toolVersion: "1", commandLine: ["headwind", "run"], seed: 1,
            host: HostFacts(kernel: "6", architecture: "x86_64", processors: 2), startedAt: "2026-11-22T00:00:00Z",
            durationSeconds: 1, cells: cells, onInconclusive: onInconclusive)
    }

    @Test func anAdvisoryBudgetIsJudgedAndDecidesNothing() throws {
        let plan = CellPlan(
            expectations: [.init(.available())], budgets: [try Self.budget("max <= 1 s", .advisory)], attempts: 1)
        let cell = Self.cell(plan)
        #expect(cell.verdict == .pass && cell.exitCode == 0)
        #expect(cell.checks.map(\.verdict) == [.pass, .fail])
        #expect(cell.checks[1].gating == .advisory && !cell.checks[1].decides)
        // A check that does not decide is no failure to reproduce.
        #expect(cell.firstBrokenAttempt == nil)
        #expect(plan.fingerprint(of: cell.attempts[0]).isEmpty)
    }

    @Test func anAdvisoryBudgetAloneChecksNothing() throws {
        let plan = CellPlan(budgets: [try Self.budget("max <= 9 s", .advisory)], attempts: 1)
        let judged = plan.judge(Self.cell(plan).attempts)
        #expect(judged.verdict == .infrastructure)
        #expect(judged.findings.map(\.attribution) == [.nothingChecked])
    }

    @Test(
        "a quarantine lasts through its last day",
        arguments: [("2026-12-30", 0 as Int32), ("2026-12-31", 0), ("2027-01-01", 99), ("2030-01-01", 99)])
    func quarantineEnds(_ day: String, _ exitCode: Int32) throws {
        var plan = CellPlan(
            expectations: [.init(.available())],
            budgets: [try Self.budget("max <= 1 s", .quarantined(Self.quarantine))], attempts: 1)
        plan.day = day
        let cell = Self.cell(plan)
        #expect(cell.exitCode == exitCode)
        #expect(cell.checks[1].quarantine == Self.quarantine)
        #expect(cell.checks[1].decides == (exitCode == 99))
    }

    @Test("in quarantine neither failures nor doubts count, but infrastructure trouble does")
    func quarantinedCell() throws {
        var plan = CellPlan(
            expectations: [.init(.available())], budgets: [try Self.budget("max <= 1 s")], attempts: 1)
        plan.quarantine = Self.quarantine
        plan.day = "2026-11-22"
        let failed = Self.cell(plan)
        #expect(failed.verdict == .fail && !failed.decides)
        let run = Self.run([failed])
        #expect(run.verdict == .pass && run.exitCode == 0)
        let read = try RunResult(json: run.json())
        #expect(read == run)
        let nothing = Self.cell(plan, [])
        #expect(nothing.decides && Self.run([failed, nothing]).exitCode == 75)
        plan.day = "2027-01-01"
        #expect(Self.run([Self.cell(plan)]).exitCode == 99)
    }

    @Test func onlyDecidingBudgetsCauseMoreAttempts() throws {
        let seconds = [1.0, 2, 3, 4, 5]
        for (gating, isMade) in [(Gating.blocking, true), (.advisory, false), (.quarantined(Self.quarantine), false)] {
            let plan = CellPlan(
                expectations: [.init(.available())], budgets: [try Self.budget("median <= 4 s", gating)], attempts: 5)
            guard case .attempt = plan.next(after: Self.cell(plan, seconds).attempts) else {
                #expect(!isMade)
                continue
            }
            #expect(isMade)
        }
    }

    @Test("noise-free budgets are judged first, and if one fails no more attempts are made")
    func withoutNoiseFirst() throws {
        let plan = CellPlan(
            budgets: [try Self.budget("median <= 4 s"), try Budget(key: "retries", text: "max <= 0")], attempts: 5)
        var attempts = Self.cell(plan, [1, 2, 3, 4, 5]).attempts
        for index in attempts.indices { attempts[index].samples[.retries] = .value(index == 2 ? 1 : 0) }
        let judged = plan.judge(attempts)
        #expect(judged.checks.map(\.name) == ["retries.max", "time_to_available.median"])
        #expect(judged.checks.map(\.verdict) == [.fail, .inconclusive])
        #expect(plan.next(after: attempts) == .judge)
    }

    @Test(
        "too little evidence has the exit code that was asked for",
        arguments: [
            (RunResult.OnInconclusive.fail, 98 as Int32), (.warn, 0), (.pass, 0),
        ])
    func inconclusive(_ wanted: RunResult.OnInconclusive, _ exitCode: Int32) throws {
        let plan = CellPlan(
            expectations: [.init(.available())], budgets: [try Self.budget("median <= 4 s")], attempts: 5)
        let unsure = Self.cell(plan, [1, 2, 3, 4, 5])
        let run = Self.run([unsure], wanted)
        #expect(run.verdict == .inconclusive && run.exitCode == exitCode)
        #expect(try RunResult(json: run.json()) == run)
        // A failure of another cell stays a failure.
        let failed = Self.cell(
            CellPlan(budgets: [try Self.budget("max <= 1 s")], attempts: 1))
        #expect(Self.run([unsure, failed], wanted).exitCode == 99)
        // A forged exit code of 0 is refused.
        var forged = Self.run([unsure])
        forged.exitCode = 0
        #expect(throws: ResultError.self) { try RunResult(json: forged.json()) }
    }
}
