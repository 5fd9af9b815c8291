import Testing

@testable import LinkProbe

@Suite struct ArrivalLogTests {
    /// A number of arrivals, each after the same milliseconds and of the same bytes.
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

    /// `count` arrivals of 1000 bytes, `milliseconds` apart.
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
        // The arrival that opens a window is not counted.
        Case(name: "bursts", steps: times(30, [each(50, 1), each(0, 4)]), rate: 800_000),
        // The fastest windows begin with a late arrival.
        Case(name: "late", steps: times(12, [each(10, 9), each(15, 1), each(5, 1)]), rate: 800_000),
        // After 250 ms without arrivals, all that were held up come within 5 ms.
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

    // Loads that count only even arrivals.

    private static let even = ProbeLoad(bytes: 0, isEven: true, shortestWindow: .milliseconds(40))

    /// Flights of 20 packets at 4 Mbit/s, with 24 ms of waiting for acknowledgements between them: the link was never
    /// full.
    @Test func pausesDoNotLowerTheRate() {
        let flights = Self.times(20, [Self.each(2, 20), Self.each(26, 1)])
        let lossy = Throughput(log(flights), Self.even)
        #expect(abs((lossy.rate ?? 0) / 4_000_000 - 1) < 0.01, "\(lossy)")
        #expect(lossy.window == .milliseconds(62) || lossy.window == .milliseconds(40), "\(lossy)")
        // 2 ms of 40.
        #expect(abs((lossy.uncertainty ?? 0) - 0.05) < 0.02)
        let plain = Throughput(log(flights), ProbeLoad(bytes: 0))
        #expect((plain.rate ?? 0) < 3_000_000, "\(plain)")
    }

    @Test func theLongestStretchWithoutAPauseIsTaken() {
        let long = Throughput(log([Self.each(10, 20), Self.each(300, 1), Self.each(10, 60)]), Self.even)
        #expect(abs((long.rate ?? 0) / 800_000 - 1) < 0.01 && long.window == .milliseconds(500), "\(long)")
        let short = Throughput(log([Self.each(10, 20), Self.each(300, 1), Self.each(10, 15)]), Self.even)
        #expect(abs((short.rate ?? 0) / 800_000 - 1) < 0.01, "\(short)")
        #expect(short.window.map { $0 < .milliseconds(200) } == true, "\(short)")
    }

    @Test func arrivalsWithOnlyPausesHaveNoRate() {
        let result = Throughput(
            log(Self.times(30, [Self.each(1, 10), Self.each(40, 1)])), Self.even)
        #expect(result.rate == nil)
        #expect(result.unverified?.contains("came unevenly") == true, "\(result)")
    }

    /// After a pause, retransmissions release packets that were held back, a few at a time and at most a packet's time
    /// apart.
    @Test func packetsThatWereHeldBackDoNotRaiseTheRate() {
        let held = Step(count: 1, milliseconds: 12, bytes: 5000)
        let steps = [Self.each(12, 12), Self.each(1000, 1)] + Self.times(6, [held]) + [Self.each(900, 1)]
        let result = Throughput(log(steps), Self.even)
        #expect(abs((result.rate ?? 0) / (8e6 / 12) - 1) < 0.01, "\(result)")
    }

    /// One packet in twelve was sent twice, and its copy is not seen.
    @Test func aPacketThatIsSentTwiceIsAPause() {
        let even = ProbeLoad(bytes: 0, isEven: true, shortestWindow: .milliseconds(200))
        let result = Throughput(log(Self.times(2, [Self.each(50, 5), Self.each(100, 1), Self.each(50, 5)])), even)
        #expect(abs((result.rate ?? 0) / 160_000 - 1) < 0.01, "\(result)")
    }

    // The bytes of a window on the wire.

    @Test(arguments: [(100, 152.0), (1448, 1500), (2896, 3000), (1, 53)])
    func headersAreCounted(_ bytes: Int, _ wire: Double) {
        #expect(abs(ProbePacket().wireBytes(bytes) - wire) < 1e-9)
    }

    /// Rate, round trip in milliseconds, whether packets may be lost, pieces and bytes.
    @Test(
        arguments: [
            (35_000, 1300, false, 604, 3624), (1000, 0, false, 16, 96), (20_000, 1300, true, 323, 1938),
            (240_000, 840, false, nil, 19_500), (780_000, 200, false, nil, 57_750), (240_000, 840, true, nil, 55_200),
            (6e6, 4, false, nil, 531_000), (1e9, 1, false, nil, 64 << 20), (1e9, 1, true, nil, 1_000_000),
        ] as [(Double, Int, Bool, Int?, Int)])
    func loadSuitsTheLink(_ rate: Double, _ roundTrip: Int, _ mayLose: Bool, _ piece: Int?, _ bytes: Int) {
        let load = ProbeLoad.suited(to: rate, roundTrip: .milliseconds(roundTrip), mayLose: mayLose)
        #expect(load.pieceBytes == piece && load.bytes == bytes, "\(load)")
        #expect((load.sufficient != nil) == (mayLose && piece == nil))
    }

    @Test(arguments: [(10, false, 5), (300, false, 5), (800, false, 2), (1300, false, 2), (1000, true, 3)])
    func longRoundTripsGetFewEchoes(_ roundTrip: Int, _ mayLose: Bool, _ echoes: Int) {
        let plan = ProbePlan.suited(
            download: nil, upload: nil, roundTrip: .milliseconds(roundTrip), mayLose: mayLose)
        #expect(plan.echoes == echoes && plan.deadline >= .milliseconds(roundTrip * echoes * 2), "\(plan)")
    }
}
