import Synchronization
import Testing

@testable import Harness
@testable import Results

/// Which attempts of a cell run side by side, and that the results equal those of a serial run.
@Suite(.timeLimit(.minutes(1)))
struct CellAttemptsTests {
    /// Attempts that run until the test ends them.
    private final class Stage: Sendable {
        struct Begun: Sendable {
            let turn: CellAttempts.Turn
            let reply: AsyncStream<AttemptOutcome>.Continuation
        }

        private let begun = AsyncStream.makeStream(of: Begun.self)
        private let running = Mutex((now: 0, most: 0))
        let cancelled = Mutex<[Int]>([])

        var most: Int { running.withLock(\.most) }

        func make(_ turn: CellAttempts.Turn, _ seat: Seat) async throws -> AttemptOutcome {
            let (replies, reply) = AsyncStream.makeStream(of: AttemptOutcome.self)
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { running.withLock { $0.now -= 1 } }
            begun.continuation.yield(Begun(turn: turn, reply: reply))
            for await outcome in replies { return outcome }
            cancelled.withLock { $0.append(turn.number) }
            throw CancellationError()
        }

        /// The attempts that begin next, sorted by number: they begin in any order.
        func next(_ count: Int) async -> [Begun] {
            var next: [Begun] = []
            for await one in begun.stream {
                next.append(one)
                if next.count == count { break }
            }
            return next.sorted { $0.turn.number < $1.turn.number }
        }
    }

    private static func outcome(
        _ turn: CellAttempts.Turn, seconds: Double = 1, counts: Bool = true, _ findings: [Finding] = []
    ) -> AttemptOutcome {
        var record = AttemptRecord(
            number: turn.number, counts: counts, arm: turn.arm, seed: Seed(UInt64(turn.pair ?? turn.number - 1)),
            samples: Samples([.timeToAvailable: .value(seconds)]),
            requests: [.init(id: "r1", result: .available, seconds: seconds)], findings: findings)
        record.durationSeconds = seconds
        return AttemptOutcome(record: record, timeline: [])
    }

    private static func plan(_ attempts: Int, most: Int? = nil, isInterleaved: Bool = false) throws -> CellPlan {
        let text = isInterleaved ? "median <= 1 x baseline + 1 s" : "median <= 10 s"
        var plan = CellPlan(
            expectations: [RequestExpectation(.available())],
            budgets: [try Budget(key: "time_to_available", text: text)], attempts: attempts, maximumAttempts: most)
        if isInterleaved { plan.comparison = Comparison(.interleaved) }
        return plan
    }

    /// The records of a plan's attempts, each of which ends at once.
    private func made(
        _ plan: CellPlan, places: Int,
        _ outcome: @escaping @Sendable (CellAttempts.Turn) -> AttemptOutcome = { Self.outcome($0) }
    ) async throws -> [AttemptRecord] {
        let seat = Seats(.fixed(places)).queue(cell: 0, rank: 0)
        let attempts = CellAttempts(plan: plan, seat: seat, mayGoOn: { _ in true }) { turn, _ in outcome(turn) }
        return try await attempts.perform().made.map(\.record)
    }

    @Test func plannedAttemptsRunAtOnceAsFarAsPlacesAllow() async throws {
        let stage = Stage()
        let places = Seats(.fixed(3))
        let seat = places.queue(cell: 0, rank: 0)
        let plan = try Self.plan(5)
        async let result = CellAttempts(plan: plan, seat: seat, mayGoOn: { _ in true }, make: stage.make).perform()
        let first = await stage.next(3)
        #expect(first.map(\.turn.number) == [1, 2, 3])
        // The third one ends first; another cell wants its place, and gets it before the fourth attempt.
        let other = places.queue(cell: 1, rank: 1)
        first[2].reply.yield(Self.outcome(first[2].turn))
        try await other.wait()
        first[1].reply.yield(Self.outcome(first[1].turn))
        let fourth = await stage.next(1)
        #expect(fourth.map(\.turn.number) == [4])
        other.end()
        let fifth = await stage.next(1)
        for begun in [first[0]] + fifth + fourth { begun.reply.yield(Self.outcome(begun.turn)) }
        let made = try await result.made.map(\.record)
        #expect(made.map(\.number) == [1, 2, 3, 4, 5] && made.map(\.seed.value) == [0, 1, 2, 3, 4])
        #expect(stage.most == 3)
        // All places are given back but the cell's own.
        let free = [places.queue(cell: 2, rank: 2), places.queue(cell: 3, rank: 3)]
        for seat in free { try await seat.wait() }
    }

    @Test func withoutRoomAttemptsRunOneByOne() async throws {
        let stage = Stage()
        let seat = Seats(.fixed(8)).queue(cell: 0, rank: 0)
        let plan = try Self.plan(5)
        async let result = CellAttempts(plan: plan, seat: seat, mayGoOn: { $0 < 1 }, make: stage.make).perform()
        for number in 1...5 {
            let begun = await stage.next(1)
            #expect(begun.map(\.turn.number) == [number])
            for one in begun { one.reply.yield(Self.outcome(one.turn)) }
        }
        #expect(try await result.made.count == 5 && stage.most == 1)
    }

    @Test func aFindingThatEndsTheCellCancelsLaterAttempts() async throws {
        let stage = Stage()
        let seat = Seats(.fixed(4)).queue(cell: 0, rank: 0)
        let plan = try Self.plan(4)
        async let result = CellAttempts(plan: plan, seat: seat, mayGoOn: { _ in true }, make: stage.make).perform()
        let begun = await stage.next(4)
        let died = [Finding(.hostDied, "exit 1")]
        begun[2].reply.yield(Self.outcome(begun[2].turn))
        begun[1].reply.yield(Self.outcome(begun[1].turn, died))
        // The cell ends only once the first attempt has ended.
        begun[0].reply.yield(Self.outcome(begun[0].turn))
        let (made, count) = try await result
        #expect(made.map(\.record.number) == [1, 2] && count == 4)
        #expect(stage.cancelled.withLock { $0 } == [4])
    }

    @Test func pairsRunSideBySideAndTheirArmsInTurns() async throws {
        let stage = Stage()
        let seat = Seats(.fixed(8)).queue(cell: 0, rank: 0)
        let plan = try Self.plan(2, most: 2, isInterleaved: true)
        async let result = CellAttempts(plan: plan, seat: seat, mayGoOn: { _ in true }, make: stage.make).perform()
        let first = await stage.next(2)
        #expect(first.map(\.turn) == [.init(number: 1, arm: nil, pair: 0), .init(number: 3, arm: .baseline, pair: 1)])
        // An attempt that does not count is repeated by the same arm, before the other arm's turn.
        first[1].reply.yield(Self.outcome(first[1].turn, counts: false))
        let again = await stage.next(1)
        #expect(again.map(\.turn) == [.init(number: 4, arm: .baseline, pair: 1)])
        for one in again + [first[0]] { one.reply.yield(Self.outcome(one.turn)) }
        let second = await stage.next(2)
        #expect(second.map(\.turn.number) == [2, 5] && second.map(\.turn.pair) == [0, 1])
        #expect(second.map(\.turn.arm) == [.baseline, nil])
        for one in second { one.reply.yield(Self.outcome(one.turn)) }
        #expect(try await result.made.map(\.record.number) == [1, 2, 3, 4, 5])
    }

    /// The number of places makes no difference, whatever goes wrong in any attempt.
    @Test(arguments: [nil, 1, 2, 3, 5] as [Int?], [false, true])
    func sideBySideIsAsOneByOne(_ number: Int?, _ isInterleaved: Bool) async throws {
        let plan = try Self.plan(4, most: 6, isInterleaved: isInterleaved)
        let outcomes: [@Sendable (CellAttempts.Turn) -> AttemptOutcome] = [
            { Self.outcome($0, $0.number == number ? [Finding(.hostDied, "exit 1")] : []) },
            { Self.outcome($0, seconds: $0.number == number ? 60 : 1) },
            { Self.outcome($0, counts: isInterleaved || $0.number != number) },
        ]
        for outcome in outcomes {
            let one = try await made(plan, places: 1, outcome)
            let expected = try await Self.inSeries(plan, outcome)
            #expect(one == expected)
            for places in [2, 3, 12] { #expect(try await made(plan, places: places, outcome) == one) }
        }
    }

    /// The records of attempts made one after the other, each planned by the ones before.
    private static func inSeries(
        _ plan: CellPlan, _ outcome: (CellAttempts.Turn) -> AttemptOutcome
    ) async throws -> [AttemptRecord] {
        var made: [AttemptRecord] = []
        while case .attempt = plan.next(after: made) {
            let arm = plan.arm(after: made)
            let pair = plan.isInterleaved ? made.count { $0.counts && $0.arm == arm } : nil
            made.append(outcome(.init(number: made.count + 1, arm: arm, pair: pair)).record)
        }
        return made
    }
}
