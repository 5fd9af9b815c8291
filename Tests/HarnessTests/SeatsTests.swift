import Testing

@testable import Harness
@testable import Witness

/// How many attempts run at once, and which of them get places first.
@Suite(.timeLimit(.minutes(1)))
struct SeatsTests {
    private static func noise(
        idle: Double? = 0.6, late: Duration? = .milliseconds(2), p99: Duration? = .milliseconds(1), steal: Double? = 0
    ) -> Noise {
        Noise(
            largestLateness: late, p99Lateness: p99, wakeUps: 50, pressure: nil, steal: steal, idle: idle,
            clockStep: .zero, suspended: .zero)
    }

    private static let quiet = noise()
    private static let busy = noise(idle: 0.05)

    /// What is measured on a machine of two processors, and how many attempts may run after each measurement.
    @Test(
        arguments: [
            ([quiet, quiet, quiet], [12, 14, 16]), ([busy, quiet, quiet], [4, 12, 14]),
            ([quiet, busy, busy, busy], [12, 6, 4, 4]),
            ([noise(idle: 0.35)], [4]), ([noise(idle: nil)], [4]), ([noise(late: nil, p99: nil)], [4]),
            ([quiet, noise(late: .milliseconds(130))], [12, 6]), ([quiet, noise(p99: .milliseconds(16))], [12, 6]),
            ([quiet, noise(late: .milliseconds(40))], [12, 12]), ([quiet, noise(steal: 0.06)], [12, 6]),
            ([noise(steal: 0.03)], [4]), (Array(repeating: quiet, count: 8), [12, 14, 16, 18, 20, 22, 24, 24]),
        ] as [([Noise], [Int])])
    func theLimitFollowsTheMachine(_ heard: [Noise], _ limits: [Int]) {
        var pace = Pace.adaptive(processors: 2, most: Pace.most(processors: 2))
        #expect(pace.limit == 4)
        #expect(
            heard.map { noise in
                pace.hear(noise, isFull: true)
                return pace.limit
            } == limits)
    }

    @Test func aLimitThatWasTooHighIsNeverTriedAgain() {
        var pace = Pace.adaptive(processors: 2, most: 24)
        pace.hear(Self.quiet, isFull: true)
        // An attempt that does not count is repeated, and more may be right later.
        pace.spoilt()
        #expect(pace.limit == 6)
        pace.disturbed()
        pace.hear(Self.quiet, isFull: true)
        #expect(pace.limit == 3)
        pace.disturbed()
        pace.disturbed()
        pace.spoilt()
        pace.hear(Self.busy, isFull: true)
        #expect(pace.limit == 1)
        // If fewer places are used than there are, the limit need not rise.
        var unasked = Pace.adaptive(processors: 2, most: 24)
        unasked.hear(Self.quiet, isFull: false)
        #expect(unasked.limit == 4)
        // A fixed number stays as it is.
        var fixed = Pace.fixed(12)
        fixed.hear(Self.busy, isFull: true)
        fixed.spoilt()
        #expect(fixed.limit == 12)
        fixed.disturbed()
        #expect(fixed.limit == 6)
        #expect(Pace.adaptive(processors: 8, most: 3).limit == 3 && Pace.most(processors: 64) == 64)
    }

    @Test func cellsHavePlacesBeforeMoreAttemptsOfOne() async throws {
        let places = Seats(.fixed(1))
        let first = places.queue(cell: 0, rank: 0)
        try await first.wait()
        let more = first.another()
        let third = places.queue(cell: 2, rank: 2)
        let second = places.queue(cell: 1, rank: 1)
        first.end()
        try await second.wait()
        second.end()
        try await third.wait()
        third.end()
        try await more.wait()
        // The cell ran alone.
        #expect(!places.end(more, isDisturbed: true) && places.limit == 1)
    }

    @Test func anAttemptIsRenewedWhenTheLimitFalls() async throws {
        let places = Seats(.fixed(2))
        let seats = (0..<3).map { places.queue(cell: $0, rank: $0) }
        for seat in seats[..<2] { try await seat.wait() }
        #expect(places.end(seats[1], isDisturbed: true) && places.limit == 1)
        try await seats[0].renew()
        seats[0].end()
        try await seats[2].wait()
    }

    @Test func aCellIsForgottenAfterItsLastSeat() async throws {
        let places = Seats(.fixed(2))
        let together = (0..<2).map { places.queue(cell: $0, rank: $0) }
        for seat in together { try await seat.wait() }
        for seat in together { seat.end() }
        let alone = places.queue(cell: 0, rank: 0)
        try await alone.wait()
        #expect(!places.end(alone, isDisturbed: true) && places.limit == 2)
    }

    @Test func fewBeginAtOneMoment() async throws {
        let places = Seats(.adaptive(processors: 1, most: 12))
        let seats = (0..<6).map { places.queue(cell: $0, rank: $0) }
        for seat in seats[..<2] { try await seat.wait() }
        #expect(seats[..<2].allSatisfy(places.mayBegin))
        places.hear(Self.quiet)
        for seat in seats[2...] { try await seat.wait() }
        #expect(seats[2...].map(places.mayBegin) == [true, false, false, false])
        // The next one begins a moment later, however busy the machine is.
        places.hear(Self.busy)
        try await seats[3].wait()
        // A number that the user gave is used at once.
        let own = Seats(.fixed(6))
        #expect((0..<6).map { own.queue(cell: $0, rank: $0) }.allSatisfy(own.mayBegin))
    }

    @Test func aRestedCellWaitsForAPlaceAgain() async throws {
        let places = Seats(.fixed(1), mostIdle: 1)
        let first = places.queue(cell: 0, rank: 0)
        let second = places.queue(cell: 1, rank: 1)
        first.rest()
        try await second.wait()
        async let renewed: Void = first.renew()
        second.end()
        try await renewed
        // A place that is given up is free for others.
        let third = places.queue(cell: 2, rank: 2)
        third.end()
        first.end()
        let fourth = places.queue(cell: 3, rank: 3)
        try await fourth.wait()
        let waiting = Task { try await places.queue(cell: 4, rank: 4).wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
