import Glibc
import ResultFiles
import Synchronization
import Testing

@testable import Distribution

/// How a coordinator handles an engine that does not answer, or of which it does not know what it does.
struct CoordinatorTroubleTests {
    typealias Try = ScriptedEngine.Try

    private static let whole = Try(states: [.ended(status: 0)], cells: ["1a", "1b"])
    private static let lost = Try(states: [.lost("the node n1 failed")], cells: nil)
    private static let failure = EngineError.failed(command: "sbatch", attempted: "submit", said: "timed out")

    private func run(_ bench: Bench, _ engine: ScriptedEngine, clock: HastyClock = HastyClock()) async throws
        -> Coordinator.Outcome
    {
        var coordinator = Coordinator(
            engine: engine, places: bench.places, plan: try ShardPlan.read(bench.places.plan))
        coordinator.clock = clock
        return try await coordinator.perform()
    }

    private func submissions(_ bench: Bench) throws -> [Submission] {
        try ShardPlan.read(bench.places.plan).submissions
    }

    /// Each refusal takes some time; ten minutes are the limit.
    @Test(arguments: [(1, 1, true), (500, 0, true), (9, 60, true), (700, 0, false), (12, 60, false)])
    func anEngineThatDoesNotAnswerIsAskedAgain(refusals: Int, seconds: Int, isPatient: Bool) async throws {
        let bench = try Bench(shards: 1)
        let clock = HastyClock()
        let engine = ScriptedEngine(
            bench, [1: [Self.whole]], refusals: refusals, onRefusal: { clock.advance(by: .seconds(seconds)) })
        if isPatient {
            #expect(try await run(bench, engine, clock: clock).ends.map(\.why) == [nil])
        } else {
            await #expect(throws: EngineError.self) { try await run(bench, engine, clock: clock) }
            // Jobs that run go on, and another coordinator can take them over.
            #expect(engine.cancelled.isEmpty)
        }
    }

    /// A first submission that fails counts as never started only if none of its jobs runs.
    @Test(
        arguments: [
            (failure, true, failure, 0, true), (.unsure(failure), true, failure, 1, true),
            (.unsure(failure), false, .unsure(failure), 1, nil),
        ] as [(EngineError, Bool, EngineError, Int, Bool?)])
    func aFailedSubmissionIsEnded(
        error: EngineError, endsJobs: Bool, thrown: EngineError, cancels: Int, isOver: Bool?
    ) async throws {
        let bench = try Bench(shards: 1)
        let engine = ScriptedEngine(bench, [:], endsJobs: endsJobs, onSubmit: { _ in throw error })
        await #expect(throws: thrown) { try await run(bench, engine) }
        #expect(engine.cancelled.count == cancels)
        #expect(try submissions(bench).map(\.isOver) == [isOver])
        // Another coordinator submits what may run under the same number, so that it is found.
        let next = ScriptedEngine(bench, [1: [Self.whole]])
        #expect(try await run(bench, next).ends.map(\.why) == [nil])
        #expect(next.submitted.map(\.number) == [isOver == true ? 2 : 1])
    }

    @Test func aCancelledSubmissionIsEnded() async throws {
        let bench = try Bench(shards: 1)
        let engine = ScriptedEngine(bench, [:], onSubmit: { _ in throw CancellationError() })
        #expect(try await run(bench, engine).isEarly)
        #expect(engine.cancelled.map(\.jobs) == [nil])
        #expect(try submissions(bench).map(\.isOver) == [true])
    }

    /// A lost shard is started again although the engine fails meanwhile, and under one number.
    @Test(arguments: [failure, .unsure(failure)]) func aFailedRestartIsRepeated(error: EngineError) async throws {
        let bench = try Bench(shards: 1)
        let engine = ScriptedEngine(
            bench, [1: [Self.lost, Self.whole]], onSubmit: { if (2...4).contains($0) { throw error } })
        let end = try #require(try await run(bench, engine).ends.first)
        #expect(engine.submitted.map(\.number) == [1, 2, 2, 2, 2])
        #expect(end.why == nil && end.lost == ["the node n1 failed"])
        #expect(engine.cancelled.isEmpty)
        let other = try Bench(shards: 1)
        let dead = ScriptedEngine(other, [1: [Self.lost, Self.whole]], onSubmit: { if $0 > 1 { throw error } })
        await #expect(throws: error) { try await run(other, dead) }
    }

    /// Jobs whose end the engine did not accept are ended by the next coordinator, before it starts any.
    @Test func jobsThatMayGoOnAreEndedBeforeOthersStart() async throws {
        let bench = try Bench(shards: 1)
        let running = Try(states: [.running(machine: nil)], cells: ["1a"])
        let task = Mutex<Task<Coordinator.Outcome, any Error>?>(nil)
        let first = ScriptedEngine(bench, [1: [running]], endsJobs: false) { look in
            if look == 5 { task.withLock { $0 }?.cancel() }
        }
        let run = Task { try await self.run(bench, first) }
        task.withLock { $0 = run }
        #expect(try await run.value.mayGoOn)
        let left = try submissions(bench)
        #expect(left.map(\.isOver) == [nil] && left.map(\.isEnding) == [true])
        let second = ScriptedEngine(bench, [1: [Self.whole]], endsJobs: false)
        await #expect(throws: EngineError.self) { try await self.run(bench, second) }
        #expect(second.submitted.isEmpty && second.cancelled.map(\.number) == [1])
        let third = ScriptedEngine(bench, [1: [Self.whole]])
        #expect(try await self.run(bench, third).ends.map(\.why) == [nil])
        #expect(third.cancelled.map(\.number) == [1] && third.submitted.map(\.number) == [2])
    }
}
