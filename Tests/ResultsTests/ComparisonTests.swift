import Testing

@testable import Results

@Suite("Budgets against a baseline")
struct ComparisonTests {
    static func plan(
        _ budgets: String..., key: String = "time_to_available", attempts: Int = 5, maximum: Int? = nil,
        cells: Int = 1, _ source: Comparison.Source = .interleaved
    ) throws -> CellPlan {
        var plan = CellPlan(
            expectations: [RequestExpectation(.available())],
            budgets: try budgets.map { try Budget(key: key, text: $0) }, attempts: attempts, maximumAttempts: maximum)
        plan.comparison = Comparison(source, cells: cells)
        return plan
    }

    /// Attempts in the order of the plan, with these times in seconds; nil is an attempt that never finished.
    static func attempts(
        _ plan: CellPlan, tested: [Double?], baseline: [Double?], change: (inout AttemptRecord) -> Void = { _ in }
    ) -> [AttemptRecord] {
        var made: [AttemptRecord] = []
        while made.count < tested.count + baseline.count {
            let arm = plan.arm(after: made)
            let times = arm == nil ? tested : baseline
            let place = made.count { $0.arm == arm }
            guard place < times.count else { break }
            made.append(attempt(made.count + 1, arm, times[place]))
            change(&made[made.count - 1])
        }
        return made
    }

    static func attempt(_ number: Int, _ arm: Arm?, _ seconds: Double?) -> AttemptRecord {
        var samples = Samples()
        samples[.timeToAvailable] = seconds.map(Sample.value) ?? .neverCame
        samples.set(.throughput, seconds.map { 8e6 / $0 })
        samples.set(.requests, seconds.map { $0 > 12 ? 2 : 1 })
        return AttemptRecord(
            number: number, arm: arm, seed: Seed(UInt64(number)), samples: samples,
            requests: [.init(id: "r", result: seconds == nil ? .error : .available, seconds: seconds)])
    }

    static let ten = [10.0, 10.01, 9.99, 10.02, 9.98]

    @Test("attempts alternate, A B B A, and the same side repeats a noisy one")
    func order() throws {
        let plan = try Self.plan("median <= 1.05 x baseline")
        let made = Self.attempts(plan, tested: Self.ten, baseline: Self.ten)
        #expect(made.map { $0.arm == nil ? "A" : "B" }.joined() == "ABBAABBAAB")
        var noisy = Array(made.prefix(2))
        noisy[1].counts = false
        #expect(plan.arm(after: noisy) == .baseline)
        #expect(plan.arm(after: Array(made.prefix(2))) == .baseline)
        #expect(plan.arm(after: Array(made.prefix(3))) == nil)
        var alone = plan
        alone.comparison = nil
        #expect(alone.arm(after: Array(made.prefix(1))) == nil)
    }

    @Test("a result within the allowed margin passes, with its numbers")
    func passes() throws {
        let plan = try Self.plan("median <= 1.05 x baseline")
        let made = Self.attempts(plan, tested: Self.ten.map { $0 + 0.1 }, baseline: Self.ten)
        #expect(plan.next(after: made) == .judge)
        let judgement = plan.judge(made)
        #expect(judgement.exitCode == 0)
        let check = judgement.checks[1]
        #expect(
            check.sentence
                == "median 10.1 s, baseline 10 s: shift +100 ms (+1 %) <= +500 ms; 95 % [+80 ms, +120 ms]; "
                + "p=0.004, adjusted 0.044; n=5 against 5")
        #expect(check.evidence?.baselineValues?.count == 5 && check.evidence?.values.count == 5)
        #expect(check.evidence.map { abs(($0.shift ?? 0) - 0.1) < 1e-9 && $0.improved == false } == true)
    }

    @Test("a result beyond the margin fails as soon as chance is ruled out")
    func fails() throws {
        let plan = try Self.plan("median <= 1.02 x baseline")
        let slower = Self.ten.map { $0 * 1.05 }
        let five = Self.attempts(plan, tested: slower, baseline: Self.ten)
        // A probability of 1/252 is too large for up to eleven looks.
        #expect(plan.judge(five).exitCode == 98)
        guard case .attempt(let why) = plan.next(after: five) else { Issue.record("there are to be more"); return }
        #expect(why.contains("time_to_available.median"))
        let eight = Self.attempts(
            plan, tested: slower + [10.5, 10.51, 10.49], baseline: Self.ten + [10, 10.005, 9.995])
        #expect(plan.next(after: eight) == .judge)
        let judgement = plan.judge(eight)
        #expect(judgement.exitCode == 99)
        #expect(judgement.checks[1].brokenIn.isEmpty)
        #expect(judgement.checks[1].evidence?.adjustedPValue.map { $0 <= Comparison.alpha } == true)
        // With a single look five attempts suffice.
        let once = try Self.plan("median <= 1.02 x baseline", maximum: 5)
        #expect(once.judge(Self.attempts(once, tested: slower, baseline: Self.ten)).exitCode == 99)
    }

    @Test("a certain shift within the margin passes; an uncertain shift beyond it is inconclusive")
    func betweenTheTwo() throws {
        let plan = try Self.plan("median <= 1 x baseline + 200 ms", maximum: 5)
        let sure = Self.attempts(plan, tested: Self.ten.map { $0 + 0.1 }, baseline: Self.ten)
        #expect(plan.judge(sure).exitCode == 0)
        let unsure = Self.attempts(plan, tested: [10, 11, 10.2, 10.4, 9.8], baseline: [10, 10.2, 9.9, 10.1, 10.6])
        #expect(plan.judge(unsure).exitCode == 98)
        #expect(plan.next(after: unsure) == .judge)
    }

    /// Attempts of a command that takes 0 to 4 s to start, and `tested` seconds from its first packet on.
    private static func startingSlowly(
        _ plan: CellPlan, tested: Double, isCommand: Bool = true, change: (inout AttemptRecord) -> Void = { _ in }
    ) -> [AttemptRecord] {
        attempts(
            plan, tested: ten.map { $0 + tested - 10 }, baseline: ten,
            change: { attempt in
                let start = Double(attempt.number % 5) + (attempt.arm == nil ? 0.5 : 0)
                attempt.conduct = ConductRecord(isCommand: isCommand, startedNanoseconds: 0)
                attempt.samples.set(.timeToFirstPacket, start)
                attempt.samples.set(.timeToAvailable, attempt.samples[.timeToAvailable].value.map { $0 + start })
                change(&attempt)
            })
    }

    struct OriginRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var origin: Budget.Origin?
        var tested = 10.0
        var isCommand = true
        var isKnown = true
        let exitCode: Int32
        let words: String
    }

    @Test(
        "a command is compared from its first packet",
        arguments: [
            OriginRow(
                testDescription: "of itself", exitCode: 0, words: "median 10 s from the first packet, baseline 10 s"),
            OriginRow(testDescription: "a slower one", tested: 10.5, exitCode: 99, words: "from the first packet"),
            OriginRow(
                testDescription: "from the start", origin: .begin, exitCode: 98, words: "median 13.5 s, baseline"),
            OriginRow(
                testDescription: "the built-in client", isCommand: false, exitCode: 98, words: "median 13.5 s, base"),
            OriginRow(
                testDescription: "the built-in client, where it is said", origin: .firstPacket, isCommand: false,
                exitCode: 0, words: "from the first packet"),
            OriginRow(
                testDescription: "an older baseline", isKnown: false, exitCode: 98, words: "median 13.5 s, baseline"),
            OriginRow(
                testDescription: "an older baseline, where it is said", origin: .firstPacket, isKnown: false,
                exitCode: 65, words: "time_to_available from the first packet was not measured in attempts"),
        ])
    func origins(_ row: OriginRow) throws {
        var plan = try Self.plan("median <= 1.03 x baseline", maximum: 5)
        plan.budgets[0].origin = row.origin
        let made = Self.startingSlowly(plan, tested: row.tested, isCommand: row.isCommand) { attempt in
            if attempt.arm != nil, !row.isKnown { attempt.samples[.timeToFirstPacket] = .unknown }
        }
        let judgement = plan.judge(made)
        #expect(judgement.exitCode == row.exitCode)
        #expect(judgement.checks[1].sentence.contains(row.words), "\(judgement.checks[1].sentence)")
    }

    @Test("an improvement beyond the margin is reported, and passes")
    func improves() throws {
        let plan = try Self.plan("median <= 1.02 x baseline", maximum: 5)
        let check = plan.judge(Self.attempts(plan, tested: Self.ten.map { $0 - 1 }, baseline: Self.ten)).checks[1]
        #expect(check.verdict == .pass && check.evidence?.improved == true)
        #expect(check.sentence.hasSuffix("improved"))
    }

    @Test("lower limits are judged likewise")
    func lowerLimits() throws {
        let plan = try Self.plan("median >= 0.98 x baseline", key: "throughput", maximum: 5)
        let slower = Self.attempts(plan, tested: Self.ten.map { $0 * 1.05 }, baseline: Self.ten)
        #expect(plan.judge(slower).exitCode == 99)
        #expect(plan.judge(Self.attempts(plan, tested: Self.ten, baseline: Self.ten)).exitCode == 0)
        let faster = plan.judge(Self.attempts(plan, tested: Self.ten.map { $0 * 0.9 }, baseline: Self.ten))
        #expect(faster.exitCode == 0 && faster.checks[1].evidence?.improved == true)
    }

    @Test("a budget may demand an improvement")
    func demands() throws {
        let plan = try Self.plan("median <= 0.9 x baseline", maximum: 5)
        #expect(plan.judge(Self.attempts(plan, tested: Self.ten, baseline: Self.ten)).exitCode == 99)
        let better = Self.attempts(plan, tested: Self.ten.map { $0 * 0.8 }, baseline: Self.ten)
        #expect(plan.judge(better).exitCode == 0)
    }

    @Test("a metric without noise is compared directly")
    func noiseFree() throws {
        let plan = try Self.plan("max <= 1 x baseline", key: "requests", maximum: 5)
        #expect(plan.judge(Self.attempts(plan, tested: Self.ten, baseline: Self.ten)).exitCode == 0)
        let worse = plan.judge(Self.attempts(plan, tested: [10, 10, 13, 10, 10], baseline: Self.ten))
        #expect(worse.exitCode == 99 && worse.checks[1].evidence?.pValue == nil)
        #expect(worse.checks[1].sentence == "max 2 > 1, baseline 1; n=5 against 5")
        let better = plan.judge(Self.attempts(plan, tested: Self.ten, baseline: [13, 13, 13, 13, 13]))
        #expect(better.checks[1].evidence?.improved == true)
    }

    @Test("a metric that varies a little is not compared directly, though its limit needs one attempt")
    func acknowledgements() throws {
        var plan = try Self.plan("max <= 1 x baseline", key: "bytes_on_wire", maximum: 5)
        func verdict(_ tested: [Double], _ baseline: [Double]) -> CheckResult {
            let made = Self.attempts(plan, tested: tested, baseline: baseline) { attempt in
                attempt.samples.set(.bytesOnWire, attempt.samples[.timeToAvailable].value)
            }
            return plan.judge(made).checks[1]
        }
        #expect(verdict([10.3, 10, 10.1, 10, 10.2], [10.2, 10, 10.1, 10, 10.2]).verdict != .fail)
        #expect(verdict([20, 20.1, 20.2, 20, 20], [10.2, 10, 10.1, 10, 10.2]).verdict == .fail)
        plan.comparison = nil
        #expect(Metric.bytesOnWire.isNoiseFree && !Metric.bytesOnWire.isExact && Metric.requests.isExact)
    }

    @Test("each probability is adjusted for the deciding budgets, the cells and the looks")
    func adjusted() throws {
        var plan = try Self.plan("median <= 1.02 x baseline", "median <= 1.01 x baseline", maximum: 7, cells: 4)
        let made = Self.attempts(plan, tested: Self.ten.map { $0 * 1.05 }, baseline: Self.ten)
        let two = plan.judge(made).checks.compactMap(\.evidence?.adjustedPValue)
        #expect(two.allSatisfy { abs($0 - 2.0 / 252 * 3 * 4) < 1e-9 })
        plan.budgets[1].gating = .advisory
        let one = plan.judge(made).checks.compactMap(\.evidence?.adjustedPValue)
        #expect(one.allSatisfy { abs($0 - 1.0 / 252 * 3 * 4) < 1e-9 })
        #expect(plan.neededAttempts(cells: 1) == 5 && plan.neededAttempts(cells: 4) == 7)
        let single = try Self.plan("median <= 1.02 x baseline", maximum: 5)
        #expect(single.neededAttempts(cells: 1) == 5)
        // Fifteen attempts against five, with eleven looks, suffice for seven cells, and not for eight.
        let wide = try Self.plan("median <= 1.02 x baseline", maximum: 15)
        #expect(wide.neededAttempts(cells: 7, stored: 5) ?? .max <= 15)
        #expect(wide.neededAttempts(cells: 8, stored: 5) ?? .max > 15)
    }

    @Test("a failing baseline decides nothing, and does not excuse a client that fails too")
    func failedBaseline() throws {
        let plan = try Self.plan("median <= 1.05 x baseline")
        let broken = Self.attempts(plan, tested: Self.ten, baseline: [10, nil, 10, 10, 10])
        let judgement = plan.judge(broken)
        #expect(judgement.exitCode == 65)
        #expect(judgement.findings.map(\.attribution) == [.baselineFailed])
        let both = plan.judge(Self.attempts(plan, tested: [10, 10, nil, 10, 10], baseline: [10, nil, 10, 10, 10]))
        #expect(both.exitCode == 99)
    }

    @Test("infrastructure trouble in an attempt of the baseline is trouble of the cell")
    func infrastructureInBaseline() throws {
        let plan = try Self.plan("median <= 1.05 x baseline")
        let made = Self.attempts(plan, tested: Self.ten, baseline: Self.ten) {
            if $0.number == 2 { $0.findings = [Finding(.hostDied, "signal 9")] }
        }
        #expect(plan.judge(made).exitCode == 75)
        #expect(plan.next(after: Array(made.prefix(2))) == .judge)
    }

    @Test("too few counting attempts of the baseline mean that the machine is too busy")
    func noisyBaseline() throws {
        let plan = try Self.plan("median <= 1.05 x baseline", maximum: 5)
        let made = Self.attempts(plan, tested: Self.ten, baseline: Self.ten) {
            if $0.number == 10 { $0.counts = false }
        }
        let judgement = plan.judge(made)
        #expect(judgement.exitCode == 75 && judgement.findings.map(\.attribution) == [.machineNoisy])
    }

    @Test("a stored baseline is compared like an alternating one, and an insufficient one is refused")
    func stored() throws {
        func samples(_ seconds: [Double]) -> [Samples] { seconds.map { Self.attempt(1, nil, $0).samples } }
        let plan = try Self.plan("median <= 1.02 x baseline", maximum: 5, .stored(samples(Self.ten)))
        #expect(plan.arm(after: []) == nil)
        func made(_ factor: Double) -> [AttemptRecord] {
            Self.ten.enumerated().map { Self.attempt($0.offset + 1, nil, $0.element * factor) }
        }
        #expect(plan.judge(made(1)).exitCode == 0)
        #expect(plan.judge(made(1.05)).exitCode == 99)
        let few = try Self.plan("median <= 1.02 x baseline", maximum: 5, .stored(samples([10, 10])))
        #expect(few.judge(made(1)).findings.map(\.attribution) == [.baselineMissing])
        #expect(few.judge(made(1)).exitCode == 69)
        let finding = Finding(.baselineUnlike, "kernel: 6.1 here, 6.12 in the baseline")
        let unlike = try Self.plan("median <= 1.02 x baseline", maximum: 5, .refused(finding))
        let judgement = unlike.judge(made(1))
        #expect(judgement.exitCode == 69 && judgement.findings == [finding])
        #expect(judgement.checks[1].sentence == "not evaluated: kernel: 6.1 here, 6.12 in the baseline")
        // Without a comparison, a budget relative to a baseline never passes.
        var none = plan
        none.comparison = nil
        #expect(none.judge(made(1)).verdict == .infrastructure)
    }

    @Test("missing data never passes")
    func missing() throws {
        let plan = try Self.plan("median <= 1.05 x baseline", key: "cpu_time")
        let judgement = plan.judge(Self.attempts(plan, tested: Self.ten, baseline: Self.ten))
        #expect(judgement.verdict == .infrastructure && judgement.findings.map(\.attribution) == [.metricMissing])
    }
}
