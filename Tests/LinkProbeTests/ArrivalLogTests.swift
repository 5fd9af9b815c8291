import Testing

@testable import LinkProbe

@Suite struct ArrivalLogTests {
    /// Steps of so many arrivals, so many milliseconds and bytes each.
    struct Step: Sendable {
        var count: Int
        var milliseconds: Double
        var bytes: Int
    }

    private func log(_ steps: [Step]) -> ArrivalLog {
        var log = ArrivalLog()
        var now = 1e12
        log.note(1000, at: Int64(now))
        for step in steps {
            for _ in 0..<step.count {
                now += step.milliseconds * 1e6
                log.note(step.bytes, at: Int64(now))
            }
        }
        return log
    }

    struct Case: Sendable {
        var name: String
        var steps: [Step]
        var rate: Double?
    }

    /// Arrivals of 1000 bytes, so many and so far apart.
    private static func each(_ milliseconds: Double, _ count: Int) -> Step {
        Step(count: count, milliseconds: milliseconds, bytes: 1000)
    }

    private static func times(_ count: Int, _ steps: [Step]) -> [Step] {
        (0..<count).flatMap { _ in steps }
    }

    static let cases: [Case] = [
        Case(name: "steady", steps: [each(10, 100)], rate: 800_000),
        Case(name: "slow start", steps: [each(100, 5), each(20, 20), each(10, 60)], rate: 800_000),
        Case(name: "stall", steps: [each(10, 60), each(900, 1), each(10, 70)], rate: 800_000),
        // What opens a window is not counted.
        Case(name: "bursts", steps: times(30, [each(50, 1), each(0, 4)]), rate: 800_000),
        // The fastest windows begin with what was late.
        Case(name: "late", steps: times(12, [each(10, 9), each(15, 1), each(5, 1)]), rate: 800_000),
        // After 250 ms of nothing, all that was held up comes within 5 ms.
        Case(name: "held up", steps: times(4, [each(10, 65), each(250, 1), each(0.2, 24)]), rate: 800_000),
        Case(name: "too short", steps: [each(10, 49)], rate: nil),
        Case(name: "too few", steps: [each(100, 11)], rate: nil),
        Case(name: "one", steps: [], rate: nil),
    ]

    @Test(arguments: cases.indices)
    func rateIsThatOfTheSteadyPart(_ index: Int) {
        let expected = Self.cases[index]
        let steady = log(expected.steps).steady(shortest: .milliseconds(500), fewest: 12)
        #expect((steady == nil) == (expected.rate == nil), "\(expected.name)")
        if let steady, let rate = expected.rate {
            #expect(abs(steady.rate / rate - 1) < 0.01, "\(expected.name): \(steady)")
        }
    }

    @Test func burstsAreOneArrival() {
        let log = log([Step(count: 1000, milliseconds: 0.001, bytes: 10)])
        #expect(log.arrivals.count == 11)
        #expect(log.bytes == 11_000)
    }

    @Test func emptyLogHasNothing() {
        #expect(ArrivalLog().whole == nil && ArrivalLog().bytes == 0)
        #expect(ArrivalLog().steady(shortest: .zero, fewest: 0) == nil)
    }

    @Test func spreadOfDelays() {
        #expect(DelaySpread([]) == nil)
        let spread = DelaySpread([.milliseconds(3), .milliseconds(1), .milliseconds(9), .milliseconds(2)])
        #expect(spread?.minimum == .milliseconds(1) && spread?.median == .milliseconds(2) && spread?.count == 4)
    }

    @Test(
        arguments: [
            (nil, 0, 1500, 6000), (1e6, 100, 1500, 6000), (50_000, 300, 4920, 15_040), (1000, 100, 10_000, 22_400),
            (1000, 800, 10_000, 30_000),
        ] as [(Double?, Int, Int, Int)])
    func planSuitsTheLink(_ rate: Double?, _ roundTrip: Int, _ duration: Int, _ deadline: Int) {
        let plan = ProbePlan.suited(to: rate, roundTrip: .milliseconds(roundTrip))
        // Seconds as a floating-point number are not exact.
        #expect(plan.duration - .milliseconds(duration) < .microseconds(1), "\(plan)")
        #expect(.milliseconds(duration) - plan.duration < .microseconds(1), "\(plan)")
        #expect(plan.deadline - .milliseconds(deadline) < .microseconds(1), "\(plan)")
        #expect(.milliseconds(deadline) - plan.deadline < .microseconds(1), "\(plan)")
    }
}
