import Testing

@testable import Results

@Suite("Cell and run: attempts to exit code")
struct CellPlanTests {
    static func plan(_ budget: String = "median <= 5 s", attempts: Int = 5, maximum: Int? = nil) throws -> CellPlan {
        CellPlan(
            expectations: [RequestExpectation(.available())],
            budgets: [try Budget(key: "time_to_available", text: budget)], attempts: attempts, maximumAttempts: maximum)
    }

    static func attempts(_ seconds: Double?..., change: (inout AttemptRecord) -> Void = { _ in }) -> [AttemptRecord] {
        seconds.enumerated().map { index, seconds in
            var samples = Samples()
            samples[.timeToAvailable] = seconds.map(Sample.value) ?? .neverCame
            var attempt = AttemptRecord(
                number: index + 1, seed: Seed(UInt64(index)), samples: samples,
                requests: [.init(id: "r", result: seconds == nil ? .noCallback : .available, seconds: seconds)])
            change(&attempt)
            return attempt
        }
    }

    @Test("passes when every check passes")
    func passes() throws {
        let judgement = try Self.plan().judge(Self.attempts(1, 2, 3, 4, 5))
        #expect(judgement.verdict == .pass)
        #expect(judgement.exitCode == 0)
        #expect(judgement.findings.isEmpty)
        #expect(judgement.checks.map(\.kind) == [.expectation, .budget])
    }

    @Test("the worst check decides the verdict")
    func byWorstCheck() throws {
        #expect(try Self.plan().judge(Self.attempts(6, 7, 8, 9, 10)).exitCode == 99)
        #expect(try Self.plan().judge(Self.attempts(1, 2, 3, 4, 6)).exitCode == 98)
        #expect(try Self.plan("max <= 9 s").judge(Self.attempts(1, 2, 3, 4, nil)).exitCode == 99)
    }

    @Test("infrastructure trouble in one attempt decides the whole cell, and failed checks stay visible")
    func infrastructureDominates() throws {
        let attempts = Self.attempts(6, 7, 8, 9, 10) {
            if $0.number == 2 { $0.findings = [Finding(.hostDied, "signal 9")] }
        }
        let judgement = try Self.plan().judge(attempts)
        #expect(judgement.exitCode == 75)
        #expect(judgement.checks.map(\.verdict) == [.pass, .fail])
        #expect(judgement.findings == [Finding(.hostDied, "signal 9", attempt: 2)])
    }

    @Test("a metric that the first attempt lacks needs no further attempts")
    func costsOneAttempt() throws {
        let plan = CellPlan(
            expectations: [RequestExpectation(.available())],
            budgets: [try Budget(key: "progress", text: "monotonic")], attempts: 5)
        let one = Self.attempts(1)
        #expect(plan.next(after: one) == .judge)
        #expect(plan.judge(one).exitCode == 65)
        #expect(try Self.plan().next(after: one) != .judge)
        // A failed client's missing events are its own fault.
        let hung = Self.attempts(1) { $0.findings = [Finding(.clientHung, "")] }
        #expect(plan.next(after: hung) != .judge)
    }

    @Test("an attempt that does not count decides nothing")
    func repeatedAttempt() throws {
        let attempts = Self.attempts(99, 1, 2, 3, 4, 5) { $0.counts = $0.number != 1 }
        #expect(try Self.plan().judge(attempts).exitCode == 0)
    }

    @Test("a missing attempt is noticed")
    func lostAttempt() throws {
        let five = Self.attempts(1, 1, 1, 1, 1)
        let missing = try Self.plan().judge(Array(five.prefix(4)))
        #expect(missing.findings.map(\.attribution) == [.attemptLost])
        #expect(missing.exitCode == 75)
        var gap = Self.attempts(1, 1, 1, 1, 1, 1)
        gap.remove(at: 2)
        #expect(try Self.plan().judge(gap).findings.map(\.attribution) == [.attemptLost])
        #expect(try Self.plan().judge([]).exitCode == 75)
    }

    @Test("a cell blames a machine that is too noisy")
    func noisy() throws {
        let attempts = Self.attempts(1, 1, 1, 1, 1) { $0.counts = $0.number > 1 }
        let judgement = try Self.plan(maximum: 5).judge(attempts)
        #expect(judgement.findings.map(\.attribution) == [.machineNoisy])
    }

    @Test("a metric that was not measured is infrastructure trouble, unless the client crashed")
    func missingMetric() throws {
        let plan = CellPlan(budgets: [try Budget(key: "memory_peak", text: "max <= 1 GB")], attempts: 1)
        let missing = plan.judge(Self.attempts(1))
        #expect(missing.findings.map(\.attribution) == [.metricMissing])
        #expect(missing.exitCode == 65)
        let crashed = plan.judge(Self.attempts(nil) { $0.findings = [Finding(.clientCrashed, "signal 11")] })
        #expect(crashed.exitCode == 99)
    }

    @Test(
        "if nothing ran, missing measurements are a consequence",
        arguments: [
            (Attribution.harnessFailed, 1 as Int32), (.capabilityMissing, 69),
        ])
    func nothingWasRun(_ attribution: Attribution, exitCode: Int32) throws {
        let judgement = try Self.plan().judge([], findings: [Finding(attribution, "x")])
        #expect(judgement.findings.map(\.attribution) == [attribution])
        #expect(judgement.exitCode == exitCode)
        #expect(judgement.verdict == .infrastructure)
    }

    @Test("a client that waits for a callback as expected is not accused of hanging")
    func expectedSilence() {
        func exitCode(_ expectation: Results.Expectation) -> Int32 {
            let attempts = Self.attempts(nil) { $0.findings = [Finding(.clientHung, "stopped after 5 s")] }
            return CellPlan(expectations: [RequestExpectation(expectation)], attempts: 1).judge(attempts).exitCode
        }
        #expect(exitCode(.noCallback()) == 0)
        #expect(exitCode(.noCallback(withinSeconds: 5)) == 0)
        #expect(exitCode(.available()) == 99)
        #expect(exitCode(.error(.init())) == 99)
    }

    static let statuses: [(String, [Attribution])] = [
        ("available", [.clientFailed]), ("error", []), ("error exit 22", []), ("error exit 3", [.clientFailed]),
        ("no callback", [.clientFailed]),
    ]

    @Test("a command's unexpected exit status is reported", arguments: statuses)
    func status(_ expected: String, _ found: [Attribution]) throws {
        let plan = CellPlan(expectations: [RequestExpectation(try Expectation(expected))], attempts: 1)
        let attempts = Self.attempts(1) {
            $0.requests = [.init(id: "command", result: .error, seconds: 1, domain: "exit", code: 22)]
        }
        let judgement = plan.judge(attempts)
        #expect(judgement.findings.map(\.attribution) == found)
        #expect(judgement.exitCode == (found.isEmpty ? 0 : 99))
        #expect(judgement.findings.allSatisfy { $0.attempt == 1 && $0.detail == "exit 22" })
    }

    @Test("a client's output is kept for attempts that were not as expected")
    func output() throws {
        let attempts = Self.attempts(1, 6, 1, nil, 1) {
            $0.clientOutput = ["said in \($0.number)"]
            if $0.number == 5 { $0.findings = [Finding(.contentWrong, "'a'")] }
        }
        let cell = CellResult(
            scenario: "s", link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"),
            plan: try Self.plan("max <= 5 s"), attempts: attempts, startedAt: "", durationSeconds: 1)
        #expect(cell.attempts.map(\.clientOutput) == [nil, ["said in 2"], nil, ["said in 4"], ["said in 5"]])
    }

    @Test("nothing to check is not a pass")
    func nothingChecked() {
        #expect(CellPlan(attempts: 1).judge(Self.attempts(1)).exitCode == 65)
    }

    @Test("a measurement that equals the set value exactly is not believed")
    func echo() throws {
        func judge(_ measured: Double, _ property: LinkMeasurement.Property = .rate) throws -> [Attribution] {
            let attempts = Self.attempts(1, 1, 1, 1, 1) {
                $0.link = [.init(property, .downlink, set: 1e6, measured: measured, toleranceRatio: 1, method: "")]
            }
            return try Self.plan().judge(attempts).findings.map(\.attribution)
        }
        #expect(try judge(1e6) == [.calibrationNotIndependent])
        #expect(try judge(1e6 + 1) == [])
        #expect(try judge(1e6, .loss) == [])
    }

    @Test("the ideal is the strictest of the attempts, the reference their median, and one unknown makes it unknown")
    func bases() throws {
        func limit(_ budget: String, _ values: MetricValues...) throws -> Double? {
            let attempts = zip(Self.attempts(9, 9, 9), values).map { attempt, values in
                var attempt = attempt
                attempt.ideal = values
                attempt.reference = values
                return attempt
            }
            let checks = try Self.plan(budget, attempts: 3).judge(attempts).checks
            return checks.last?.evidence?.limit
        }
        let values: [MetricValues] = [[.timeToAvailable: 8], [.timeToAvailable: 6], [.timeToAvailable: 9]]
        #expect(try limit("max <= 2 x ideal", values[0], values[1], values[2]) == 12)
        #expect(try limit("max <= 2 x reference", values[0], values[1], values[2]) == 16)
        #expect(try limit("max <= 2 x ideal", values[0], values[1], [:]) == nil)
        // Without a basis there is no limit.
        #expect(try limit("max <= 2 x baseline", [:], [:], [:]) == nil)
    }

    @Test("a cell says that a budget raised its number of attempts")
    func raised() throws {
        func notes(_ planned: Int, _ seconds: [Double], _ budget: String = "median <= 5 s") throws -> [String] {
            let made = seconds.flatMap { Self.attempts($0) }
            return CellResult(
                scenario: "s", link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"),
                plan: try Self.plan(budget, attempts: planned), attempts: made, startedAt: "2026-11-21T04:00:00Z",
                durationSeconds: 1
            ).notes
        }
        let five: [Double] = [1, 1, 1, 1, 1]
        #expect(
            try notes(3, five) == [
                "'attempts: 3' was raised to 5, because 'time_to_available.median' needs at least 5 attempts"
            ])
        #expect(
            try notes(5, five + [1]).isEmpty && notes(3, [1, 1, 1]).isEmpty && notes(3, five, "max <= 5 s").isEmpty)
    }

    @Test("more attempts are made as long as they can change the verdict")
    func nextStep() throws {
        let plan = try Self.plan(maximum: 7)
        #expect(plan.next(after: []) == .attempt(because: "0 of 5 attempts made"))
        #expect(plan.next(after: Self.attempts(1, 1)) == .attempt(because: "2 of 5 attempts made"))
        #expect(plan.next(after: Self.attempts(1, 2, 3, 4, 5)) == .judge)
        #expect(
            plan.next(after: Self.attempts(1, 2, 3, 4, 6))
                == .attempt(because: "too little evidence for time_to_available.median"))
        #expect(plan.next(after: Self.attempts(1, 2, 3, 4, 6, 6, 6)) == .judge)
        #expect(plan.next(after: Self.attempts(9, 9, 9, 9, 9)) == .judge)
        #expect(plan.next(after: Self.attempts(1) { $0.findings = [Finding(.hostDied, "")] }) == .judge)
        #expect(plan.next(after: Self.attempts(1) { $0.counts = false }) == .attempt(because: "0 of 5 attempts made"))
    }
}
