import Testing

@testable import Witness

@Suite struct NoiseTests {
    /// A change during ten seconds, and the noise that follows from it.
    struct Case: Sendable {
        var name: String
        var change: @Sendable (inout KernelReading) -> Void
        var pressure: Double? = 0
        var steal: Double? = 0
        var idle: Double? = 0
        var ownWait: Double? = 0
        var step = Duration.zero
        var suspended = Duration.zero
        var isStepped = false
    }

    static let cases: [Case] = [
        Case(name: "quiet") { _ in },
        Case(name: "waiting", change: { $0.waited = 1_500_000 }, pressure: 0.05),
        Case(name: "waiting all the time, and rounded up", change: { $0.waited = 11_000_000 }, pressure: 1),
        Case(name: "no pressure file", change: { $0.waited = nil }, pressure: nil),
        Case(name: "stolen", change: { $0.processors?.stolen += 500 }, steal: 0.25),
        Case(name: "nothing to do", change: { $0.processors?.idle += 1500 }, idle: 0.75),
        Case(name: "own threads waiting", change: { $0.ownWait = 2_500_000_000 }, ownWait: 0.2),
        Case(name: "own threads that ended", change: { $0.ownWait = 0 }, ownWait: 0),
        Case(name: "no schedstat", change: { $0.ownWait = nil }, ownWait: nil),
        Case(name: "counts back", change: { $0.processors?.stolen -= 5 }, steal: 0),
        Case(name: "no ticks", change: { $0.processors?.total = 10_000 }, steal: nil, idle: nil),
        Case(name: "no stat file", change: { $0.processors = nil }, steal: nil, idle: nil),
        Case(name: "set forward", change: { $0.realTime += 3_600_000_000_000 }, step: .seconds(3600), isStepped: true),
        Case(name: "set back", change: { $0.realTime -= 700_000_000 }, step: .milliseconds(-700), isStepped: true),
        Case(name: "slewed", change: { $0.realTime += 5_000_000 }, step: .milliseconds(5)),
        Case(
            name: "suspended",
            change: {
                $0.bootTime += 60_000_000_000
                $0.realTime += 60_000_000_000
            }, suspended: .seconds(60)),
        Case(
            name: "clocks read one after another",
            change: { $0.monotonic += 1000 }, pressure: 0, step: .zero, suspended: .zero),
    ]

    @Test(arguments: cases.indices) func noiseIsTheDifference(_ index: Int) {
        let expected = Self.cases[index]
        let start = KernelReading(
            monotonic: 5_000_000_000, bootTime: 7_000_000_000, realTime: 1_700_000_000_000_000_000, waited: 1_000_000,
            processors: .init(stolen: 30, idle: 4000, total: 10_000), ownWait: 500_000_000)
        var end = start
        end.monotonic += 10_000_000_000
        end.bootTime += 10_000_000_000
        end.realTime += 10_000_000_000
        end.processors?.total += 2000
        expected.change(&end)
        let noise = Noise(from: start, to: end, lateness: LatenessHistogram())
        #expect(noise.pressure == expected.pressure, "\(expected.name)")
        #expect(noise.steal == expected.steal, "\(expected.name)")
        #expect(noise.idle == expected.idle, "\(expected.name)")
        #expect(noise.ownWait == expected.ownWait, "\(expected.name)")
        #expect(noise.clockStep == expected.step, "\(expected.name)")
        #expect(noise.suspended == expected.suspended, "\(expected.name)")
        #expect(noise.isClockStepped == expected.isStepped, "\(expected.name)")
        #expect(noise.largestLateness == nil && noise.p99Lateness == nil && noise.wakeUps == 0)
    }

    @Test(arguments: [("12 345 6\n", 345), ("0 0 0\n", 0), ("1 2\n", nil), ("", nil)] as [(String, Int64?)])
    func schedulerFile(_ text: String, _ wait: Int64?) {
        #expect(KernelReading.wait(in: text) == wait)
    }

    @Test(
        arguments: [
            ("some avg10=5.66 avg60=6.28 avg300=13.98 total=346167762\nfull avg10=0.00 total=9\n", 346_167_762),
            ("full avg10=0.00 total=9\n", nil), ("some avg10=0.00\n", nil), ("some total=x\n", nil), ("", nil),
        ] as [(String, Int64?)])
    func pressureFile(_ text: String, _ waited: Int64?) {
        #expect(KernelReading.waited(in: text) == waited)
    }

    @Test(
        arguments: [
            ("cpu  1 2 3 4 5 6 7 8 100 100\ncpu0 1 1 1 1 1 1 1 1 1 1\n", .init(stolen: 8, idle: 9, total: 36)),
            ("cpu0 1 2 3 4 5 6 7 8\n", nil), ("cpu  1 2 3 4 5 6 7\n", nil), ("cpu  1 2 3 x 5 6 7 8\n", nil), ("", nil),
        ] as [(String, KernelReading.Processors?)])
    func statFile(_ text: String, _ processors: KernelReading.Processors?) {
        #expect(KernelReading.processors(in: text) == processors)
    }

    @Test func histogramRoundsUpByASixteenthAtMost() {
        var value: Int64 = 1
        while value < .max / 3 {
            var histogram = LatenessHistogram()
            histogram.record(value)
            // The largest value would otherwise limit the quantile.
            histogram.record(.max)
            let quantile = histogram.quantile(0.5) ?? .zero
            #expect(quantile >= .nanoseconds(value) && quantile <= .nanoseconds(value + value / 16))
            value += max(1, value / 7)
        }
    }

    @Test func histogramCounts() {
        var histogram = LatenessHistogram()
        #expect(histogram.largest == nil && histogram.quantile(0.99) == nil)
        histogram.record(-5)
        #expect(histogram.largest == .zero && histogram.quantile(0.99) == .zero)
        for _ in 0..<98 { histogram.record(10) }
        histogram.record(1_000_000)
        #expect(histogram.count == 100)
        #expect(histogram.quantile(0.99) == .nanoseconds(10))
        #expect(histogram.quantile(1) == .milliseconds(1) && histogram.largest == .milliseconds(1))
    }
}
