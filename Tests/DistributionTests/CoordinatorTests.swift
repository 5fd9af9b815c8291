import FoundationEssentials
import ResultFiles
import Results
import Synchronization
import Testing

@testable import Distribution

/// How a coordinator handles shards that end, are lost, or are never heard of again.
struct CoordinatorTests {
    typealias Try = ScriptedEngine.Try

    private func run(_ bench: Bench, _ engine: ScriptedEngine, plan: ShardPlan? = nil) async throws
        -> Coordinator.Outcome
    {
        var coordinator = Coordinator(engine: engine, places: bench.places, plan: plan ?? bench.plan)
        coordinator.clock = HastyClock()
        return try await coordinator.perform()
    }

    private func merged(_ bench: Bench, _ outcome: Coordinator.Outcome, _ ending: Attribution? = nil) throws
        -> RunResult
    {
        try MergedShards(
            outcome.ends, of: bench.plan, into: bench.output, hold: nil, commandLine: ["headwind"], ending: ending
        ).result
    }

    private static func whole(_ shard: Int, status: Int32 = 0, after states: [ShardState] = []) -> Try {
        Try(states: states + [.ended(status: status)], cells: ["\(shard)a", "\(shard)b"])
    }

    /// A shard with one finished cell that runs until it is stopped by a signal.
    private static func stopped(_ cell: String) -> Try {
        Try(
            states: [.running(machine: nil)], cells: [cell],
            findings: [Finding(.terminated, "1 of 2 cells finished")])
    }

    @Test func endedShardsAreOneResultInTheOrderOfTheirCells() async throws {
        let bench = try Bench(shards: 3)
        let engine = ScriptedEngine(
            bench,
            [
                1: [Self.whole(1, status: 75, after: [.waiting("Priority"), .running(machine: "n1")])],
                2: [Self.whole(2, status: 99)], 3: [Self.whole(3, after: [.running(machine: "n3")])],
            ])
        let outcome = try await run(bench, engine)
        #expect(engine.submitted == [Submission(number: 1, shards: [1, 2, 3])])
        #expect(outcome.ends.map(\.why) == [nil, nil, nil])
        let result = try merged(bench, outcome)
        #expect(result.cells.map(\.name) == ["1a", "1b", "2a", "2b", "3a", "3b"])
        #expect(result.unfinishedCells == [])
        #expect(result.shards?.map(\.machine) == ["n1", nil, "n3"])
        #expect(try ShardPlan.read(bench.places.plan).submissions.map(\.jobs) == [["job-1"]])
        #expect(FileManager.default.fileExists(atPath: bench.places.whole(2).string))
    }

    @Test func aLostShardIsStartedAgainAndItsPartDoesNotCount() async throws {
        let bench = try Bench(shards: 2)
        let engine = ScriptedEngine(
            bench,
            [
                1: [Self.whole(1)],
                2: [
                    Try(states: [.running(machine: "n2"), .lost("the node n2 failed")], cells: ["2a"]), Self.whole(2),
                ],
            ])
        let outcome = try await run(bench, engine)
        #expect(engine.submitted.map(\.shards) == [[1, 2], [2]])
        let result = try merged(bench, outcome)
        #expect(result.cells.map(\.name) == ["1a", "1b", "2a", "2b"])
        #expect(result.shards?.map(\.lost) == [nil, ["the node n2 failed"]])
        #expect(result.isWhole)
    }

    /// The result of the first try, and whether there is a second one.
    @Test(arguments: [
        (Try(states: [.ended(status: 75)], cells: nil), true), (Try(states: [.ended(status: 127)], cells: nil), true),
        (Try(states: [.ended(status: 75)], cells: ["1a"]), true), (Try(states: [.ended(status: 0)], cells: nil), true),
        (Try(states: [.ended(status: 99)], cells: ["1a"]), true),
        (
            Try(
                states: [.ended(status: 75)], cells: ["1a", "1b"],
                findings: [Finding(.scratchDiskFull, "no room")]), true
        ),
        (Try(states: [.ended(status: 65)], cells: nil), false), (Try(states: [.ended(status: 64)], cells: nil), false),
        (Try(states: [.stopped("somebody cancelled it")], cells: ["1a"]), false),
        (Try(states: [.ended(status: 0)], cells: ["1a", "1b"], division: "other"), false),
        (
            Try(
                states: [.ended(status: 75)], cells: ["1a"],
                findings: [Finding(.deadlineReached, "1 of 2 cells finished")]), false
        ),
    ]) func aFailedTryIsRepeatedIfThatMayHelp(first: Try, isWorth: Bool) async throws {
        let bench = try Bench(shards: 1)
        let engine = ScriptedEngine(bench, [1: [first, Self.whole(1)]])
        let outcome = try await run(bench, engine)
        #expect(engine.submitted.count == (isWorth ? 2 : 1), "\(first)")
        #expect(try merged(bench, outcome).isWhole == isWorth)
    }

    @Test func aShardThatIsLostThreeTimesLeavesItsBestPart() async throws {
        let bench = try Bench(shards: 2)
        let lost = Try(states: [.lost("the node n2 failed")], cells: nil)
        let engine = ScriptedEngine(
            bench, [1: [Self.whole(1)], 2: [lost, Try(states: [.lost("its time was over")], cells: ["2b"]), lost]])
        let result = try merged(bench, try await run(bench, engine))
        #expect(engine.submitted.map(\.shards) == [[1, 2], [2], [2]])
        #expect(result.cells.map(\.name) == ["1a", "1b", "2b"])
        #expect(result.unfinishedCells == ["2a"])
        #expect(result.exitCode >= 75)
        #expect(
            result.findings.map(\.detail).contains { $0.contains("3 of 4 cells") && $0.contains("started 3 times") })
    }

    @Test(arguments: [1, 75]) func aPartThatWasFetchedOnceIsKept(status: Int32) async throws {
        let bench = try Bench(shards: 1)
        let first = Try(states: [.ended(status: status)], cells: ["1b"], isFetchedOnce: true)
        let engine = ScriptedEngine(bench, [1: [first] + Array(repeating: Try(states: [.lost("gone")]), count: 2)])
        #expect(try merged(bench, try await run(bench, engine)).cells.map(\.name) == ["1b"])
    }

    @Test func cellsOfAShardThatLeftNothingAreUnfinished() async throws {
        let bench = try Bench(shards: 2)
        let engine = ScriptedEngine(bench, [1: [Try(states: [.ended(status: 65)], cells: nil)], 2: [Self.whole(2)]])
        let result = try merged(bench, try await run(bench, engine))
        #expect(result.unfinishedCells == ["1a", "1b"])
        #expect(result.exitCode >= 75)
    }

    @Test func aCancelEndsTheJobsAndKeepsFinishedCells() async throws {
        let bench = try Bench(shards: 2)
        let task = Mutex<Task<Coordinator.Outcome, any Error>?>(nil)
        let engine = ScriptedEngine(
            bench,
            [
                1: [Self.whole(1)],
                2: [Self.stopped("2a")],
            ]
        ) { look in if look == 20 { task.withLock { $0 }?.cancel() } }
        let running = Task { try await run(bench, engine) }
        task.withLock { $0 = running }
        let outcome = try await running.value
        #expect(outcome.isEarly)
        #expect(engine.cancelled.map(\.number) == [1])
        let result = try merged(bench, outcome, .interrupted)
        #expect(result.cells.map(\.name) == ["1a", "1b", "2a"])
        #expect(result.unfinishedCells == ["2b"] && result.exitCode == 130)
        // Another coordinator starts only what is missing.
        let next = ScriptedEngine(bench, [2: [Self.whole(2)]])
        let end = try await run(bench, next, plan: try ShardPlan.read(bench.places.plan))
        #expect(next.submitted.map(\.shards) == [[2]])
        #expect(try merged(bench, end).isWhole)
    }

    @Test func aCoordinatorContinuesForOneThatWasKilled() async throws {
        let bench = try Bench(shards: 3)
        var plan = bench.plan
        // The earlier coordinator was killed before it could record the name of the second submission.
        plan.submissions = [
            Submission(number: 1, shards: [1, 2, 3], jobs: ["job-1"]), Submission(number: 2, shards: [3]),
        ]
        try bench.write(1, to: bench.places.whole(1))
        try bench.write(2, to: bench.places.part(2, of: plan.submissions[0]))
        let engine = ScriptedEngine(bench, [2: [Self.whole(2)], 3: [Self.whole(3)]])
        let outcome = try await run(bench, engine, plan: plan)
        #expect(engine.submitted.map(\.number) == [2])
        #expect(try merged(bench, outcome).isWhole)
    }

    @Test func aDeadlineLeavesAPartialResult() async throws {
        let bench = try Bench(shards: 1)
        let looks = Mutex(0)
        let engine = ScriptedEngine(bench, [1: [Self.stopped("1a")]]) { _ in
            looks.withLock { $0 += 1 }
        }
        var coordinator = Coordinator(engine: engine, places: bench.places, plan: bench.plan)
        (coordinator.clock, coordinator.deadline) = (HastyClock(), .seconds(90))
        let outcome = try await coordinator.perform()
        #expect(looks.withLock { $0 } == 90, "by the coordinator's clock, which looks each second")
        #expect(outcome.isLate && engine.cancelled.count == 1)
        let result = try merged(bench, outcome, .deadlineReached)
        #expect(result.findings.map(\.attribution).contains(.deadlineReached) && result.exitCode == 75)
    }

    @Test func progressIsReadFromLogsAsTheyGrow() throws {
        let bench = try Bench(shards: 2)
        var watch = DistributionWatch(bench.plan, bench.places, now: .now)
        let lines = [
            #"{"event":"planned","cells":2}"#, #"{"event":"began","cell":"1a"}"#, "pass    1a", "{",
            #"{"event":"judged","cell":"1a","verdict":"fail","attempts":2}"#, #"{"event":"began","cell":"1b"}"#,
            #"{"event":"judged","cell":"1b""#,
        ]
        try bench.write(lines.joined(separator: "\n"), to: bench.places.log(1))
        #expect(watch.read().isEmpty)
        watch.note(1, isRunning: true)
        #expect(watch.read().map(\.line.event) == [.began, .judged, .began])
        var totals = DistributionTotals()
        (totals.cells, totals.done, totals.failed, totals.running) = (4, 1, 1, 1)
        (totals.shards, totals.shardsRunning) = (2, 1)
        #expect(watch.totals() == totals)
        try bench.write(lines.joined(separator: "\n") + ",\"verdict\":\"pass\"}\n", to: bench.places.log(1))
        #expect(watch.read().map(\.line.cell) == ["1b"])
        // Two cells of four, and one second and three of eight.
        let later = watch.totals(now: .now + .seconds(60)).remaining.map { $0 / .seconds(1) } ?? 0
        #expect((70...90).contains(later))
    }
}
