import Testing

@testable import Results

/// Attempts of one cell on several machines are judged together.
struct PoolingTests {
    private static func plan(
        _ attempts: Int, _ budget: String = "max <= 2 s", isInterleaved: Bool = false
    ) throws -> CellPlan {
        var plan = CellPlan(
            expectations: [RequestExpectation(.available())],
            budgets: [try Budget(key: "time_to_available", text: budget)], attempts: attempts, maximumAttempts: attempts
        )
        if isInterleaved { plan.comparison = Comparison(.interleaved) }
        return plan
    }

    private static func attempt(_ number: Int, _ seconds: Double, arm: Arm? = nil, rate: Double = 1.01e6)
        -> AttemptRecord
    {
        AttemptRecord(
            number: number, arm: arm, seed: Seed(UInt64(number)), samples: Samples([.timeToAvailable: .value(seconds)]),
            requests: [.init(id: "r1", result: .available, seconds: seconds)],
            link: [.init(.rate, .downlink, set: 1e6, measured: rate, toleranceRatio: 0.05, method: "a test")])
    }

    private static func fingerprint(kernel: String = "6.1") -> Fingerprint {
        Fingerprint(
            host: HostFacts(kernel: kernel, architecture: "x86_64", processors: 2, versions: [:]), toolVersion: "1",
            link: LinkFacts(profile: "3g", backend: "packet", fidelity: "packet"), profileDigest: "p",
            scenarioDigest: "s", client: "headwind-client", jobs: .auto)
    }

    private static func part(
        _ index: Int, of count: Int, _ plan: CellPlan, _ attempts: [AttemptRecord], kernel: String = "6.1"
    ) throws -> CellResult {
        let own = try #require(plan.share(index, of: count))
        var cell = CellResult(
            scenario: "a", link: LinkFacts(profile: "3g", backend: "packet", fidelity: "packet"), plan: own,
            attempts: attempts, startedAt: "2026-11-21T04:00:0\(index)Z", durationSeconds: Double(index))
        cell.share = try AttemptShare(index, of: count, plan: plan)
        cell.fingerprint = fingerprint(kernel: kernel)
        return cell
    }

    @Test func allSharesTogetherAreTheAttemptsOfOneMachine() throws {
        for (attempts, count) in [(1, 1), (8, 3), (10, 10), (7, 2), (100, 8)] {
            let plan = try Self.plan(attempts)
            let numbers = (1...count).flatMap { index -> [Int] in
                guard let share = plan.share(index, of: count) else { return [] }
                return (1...share.attempts).map { share.numbering.number($0) }
            }
            #expect(numbers.sorted() == Array(1...attempts))
        }
        #expect(try Self.plan(2).share(3, of: 4) == nil)
    }

    @Test func attemptsOfAllPartsAreJudgedLikeThoseOfOneMachine() throws {
        let plan = try Self.plan(60, "median <= 2 s")
        let all = (1...60).map { Self.attempt($0, $0.isMultiple(of: 3) ? 3 : 1) }
        let parts = try (1...3).map { index in
            try Self.part(index, of: 3, plan, all.filter { ($0.number - index).isMultiple(of: 3) })
        }
        // Alone, the third part breaks the budget.
        #expect(parts.map(\.verdict) == [.pass, .pass, .fail])
        let pooled = try CellResult.pooled(parts.reversed(), named: ["three", "two", "one"])
        let whole = plan.judge(all)
        #expect(pooled.verdict == .pass && pooled.checks == whole.checks && pooled.findings == whole.findings)
        #expect(pooled.attempts.map(\.number) == Array(1...60) && pooled.plannedAttempts == 60)
        #expect(pooled.share == nil && pooled.startedAt == parts[0].startedAt && pooled.durationSeconds == 3)
        #expect(pooled.notes == ["3 of 3 shards made its attempts, which are judged together"])
    }

    @Test func missingAndRepeatedAttemptsAreReported() throws {
        let plan = try Self.plan(4)
        let one = try Self.part(1, of: 2, plan, [Self.attempt(1, 1), Self.attempt(3, 1)])
        let alone = try CellResult.pooled([one], named: ["one"])
        #expect(alone.verdict == .infrastructure && alone.findings.map(\.attribution) == [.attemptLost])
        var noisy = Self.attempt(2, 9)
        noisy.counts = false
        let two = try Self.part(2, of: 2, plan, [noisy, Self.attempt(4, 1), Self.attempt(6, 1)])
        let pooled = try CellResult.pooled([one, two], named: ["one", "two"])
        #expect(pooled.verdict == .pass && pooled.attempts.map(\.number) == [1, 2, 3, 4, 6])
        let lost = try Self.part(2, of: 2, plan, [Self.attempt(4, 1)])
        #expect(lost.findings.map(\.attribution) == [.attemptLost], "a share knows its own numbers")
    }

    @Test func troubleInOnePartIsTroubleOfTheCell() throws {
        let plan = try Self.plan(2)
        let one = try Self.part(1, of: 2, plan, [Self.attempt(1, 1)])
        let own = try #require(plan.share(2, of: 2))
        var two = CellResult(
            scenario: "a", link: one.link, plan: own, attempts: [Self.attempt(2, 1)],
            findings: [Finding(.hostDied, "exit 1")], startedAt: "", durationSeconds: 1)
        (two.share, two.fingerprint) = (try AttemptShare(2, of: 2, plan: plan), one.fingerprint)
        let pooled = try CellResult.pooled([one, two], named: ["one", "two"])
        #expect(pooled.verdict == .infrastructure && pooled.findings.map(\.attribution) == [.hostDied])
    }

    @Test func pairsStayTogether() throws {
        let plan = try Self.plan(10, "median <= 1 x baseline + 1 s", isInterleaved: true)
        func part(_ index: Int) throws -> CellResult {
            let own = try #require(plan.share(index, of: 2))
            let attempts = (1...2 * own.attempts).map { place in
                Self.attempt(
                    own.numbering.number(place), 1, arm: place % 4 == 2 || place % 4 == 3 ? .baseline : nil)
            }
            return try Self.part(index, of: 2, plan, attempts)
        }
        let pooled = try CellResult.pooled([try part(1), try part(2)], named: ["one", "two"])
        #expect(pooled.attempts.count { $0.arm == .baseline } == 10 && pooled.countedAttempts.count == 10)
        #expect(pooled.verdict == .pass, "\(pooled.findings) \(pooled.checks)")
    }

    /// The cell is judged on the later day, when its quarantine is over.
    @Test(arguments: [["2026-12-31", "2027-01-01"], ["2027-01-01", "2026-12-31"]])
    func sharesMayBeOfTwoDays(days: [String]) throws {
        let parts = try days.enumerated().map { place, day -> CellResult in
            var plan = try Self.plan(2)
            (plan.day, plan.quarantine) = (day, Quarantine(until: "2026-12-31", reason: "known"))
            return try Self.part(place + 1, of: 2, plan, [Self.attempt(place + 1, 3)])
        }
        #expect(parts.map(\.decides) == days.map { $0 > "2026-12-31" })
        let pooled = try CellResult.pooled(parts, named: ["one", "two"])
        #expect(pooled.verdict == .fail && pooled.decides && pooled.attempts.count == 2)
    }

    @Test func differentMachinesLinksAndPlansAreRefused() throws {
        let plan = try Self.plan(2)
        let one = try Self.part(1, of: 2, plan, [Self.attempt(1, 1)])
        func refusal(_ two: CellResult, _ reason: String) {
            #expect(throws: PoolingObstacle(reason: reason)) {
                try CellResult.pooled([one, two], named: ["one", "two"])
            }
        }
        refusal(
            try Self.part(2, of: 2, plan, [Self.attempt(2, 1)], kernel: "6.12"),
            "kernel: 6.12 in 'two', 6.1 in 'one'")
        refusal(
            try Self.part(2, of: 2, plan, [Self.attempt(2, 1, rate: 1.07e6)]),
            "measured downlink rate: 1.07 Mbit/s in 'two', 1.01 Mbit/s in 'one'")
        refusal(
            try Self.part(2, of: 2, try Self.plan(3), [Self.attempt(2, 1)]),
            "'one' and 'two' have different plans")
        refusal(try Self.part(2, of: 2, plan, [Self.attempt(1, 1)]), "attempt 1 in 'two' does not belong to its shard")
        var unknown = try Self.part(2, of: 2, plan, [Self.attempt(2, 1)])
        unknown.fingerprint = nil
        refusal(unknown, "the machines that made them are unknown")
        // The rate differs as much as the tolerance allows.
        let near = try Self.part(2, of: 2, plan, [Self.attempt(2, 1, rate: 1.04e6)])
        #expect(try CellResult.pooled([one, near], named: ["one", "two"]).verdict == .pass)
        var hostile = one
        hostile.share?.plan = "{\"attempts\": -1}"
        #expect(throws: PoolingObstacle(reason: "its result does not say what all attempts have to do")) {
            try CellResult.pooled([hostile], named: ["one"])
        }
    }
}
