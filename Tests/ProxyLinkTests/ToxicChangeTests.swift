import LinkModel
import Testing

@testable import ProxyLink

/// Toxics that change or are removed while bytes wait in them, in virtual time.
struct ToxicChangeTests {
    /// A client may set any number: nothing traps, and no byte arrives twice.
    @Test(arguments: [Int64.min, -1, 0, 1, 1 << 40, Int64.max])
    func everyNumberIsAccepted(number: Int64) {
        let share = Double(number) * 1e280
        let effects: [Toxic.Effect] = [
            .latency(latency: number, jitter: number), .latency(latency: 5, jitter: number), .bandwidth(rate: number),
            .slowClose(delay: number), .timeout(timeout: number), .resetPeer(timeout: number),
            .slicer(averageSize: number, sizeVariation: number, delay: number),
            .slicer(averageSize: 1, sizeVariation: number, delay: 0), .limitData(bytes: number),
            .packetLoss(lossRate: share, correlation: share),
        ]
        for effect in effects {
            for toxicity in [share, 1] {
                let course = ToxicCourse()
                course.set([effect, .latency(latency: 1, jitter: 0)], toxicity: toxicity)
                course.send(2000)
                course.pass(1000)
                course.end()
                course.pass(1000)
                #expect(course.bytes == Array(pattern(2000).prefix(course.bytes.count)), "\(effect)")
            }
        }
    }

    /// Bytes that wait when a toxic changes or is removed are neither lost nor duplicated.
    @Test(
        arguments: [
            [.latency(latency: 100, jitter: 50)], [.bandwidth(rate: 1)], [.bandwidth(rate: 0)],
            [.slicer(averageSize: 3, sizeVariation: 2, delay: 700)], [.slowClose(delay: 1000)],
            [
                .latency(latency: 40, jitter: 0), .bandwidth(rate: 2),
                .slicer(averageSize: 9, sizeVariation: 9, delay: 10),
            ],
            [.packetLoss(lossRate: 0, correlation: 0), .limitData(bytes: 1_000_000)],
        ] as [[Toxic.Effect]])
    func changesLoseNothing(effects: [Toxic.Effect]) {
        let course = ToxicCourse()
        let sent = pattern(3000)
        var rest = sent[...]
        var turn: Int64 = 0
        while !rest.isEmpty {
            turn += 1
            let count = min(rest.count, Int(turn * 37 % 101))
            course.send(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            switch turn % 4 {
            case 0: course.set([])
            case 1: course.set(effects)
            case 2: course.set(effects.reversed())
            default: course.set([.latency(latency: turn, jitter: 0)])
            }
            course.pass(turn % 7)
        }
        course.end()
        course.set([])
        #expect(course.bytes == sent)
        #expect(course.log.last?.hasSuffix(":end") == true)
    }

    @Test func newAttributesApplyToWaitingBytes() {
        let course = ToxicCourse()
        course.set(.latency(latency: 1000, jitter: 0))
        course.send(10)
        course.pass(50)
        course.set(.latency(latency: 200, jitter: 0))
        course.pass(1000)
        #expect(course.log == ["200.0:10"])
    }

    @Test func aNewRateAppliesAtOnce() {
        let course = ToxicCourse()
        course.set(.bandwidth(rate: 0))
        course.send(100)
        course.pass(5000)
        course.set(.bandwidth(rate: 10))
        course.pass(5000)
        #expect(course.log == ["5010.0:100"])
    }

    /// The time counts from the change, not from when the toxic was added.
    @Test func aTimeoutCountsFromWhenItTakesEffect() {
        for (before, toxicity) in [(Toxic.Effect.timeout(timeout: 0), 1.0), (.timeout(timeout: 200), 0)] {
            let course = ToxicCourse()
            course.set(before, toxicity: toxicity)
            course.pass(5000)
            course.set(.timeout(timeout: 200))
            course.pass(100)
            course.set(.timeout(timeout: 200), toxicity: 1.5)
            course.pass(1000)
            #expect(course.log == ["5200.0:close"], "\(before)")
        }
    }

    /// As in Toxiproxy: bytes that a toxic discarded are missing, so the stream cannot continue.
    @Test(arguments: [
        (Toxic.Effect.timeout(timeout: 0), "close"), (.timeout(timeout: 1000), "close"),
        (.resetPeer(timeout: 1000), "reset"),
    ])
    func aStreamThatLostBytesEndsWithoutTheToxic(effect: Toxic.Effect, ending: String) {
        for isRemoved in [true, false] {
            let course = ToxicCourse()
            course.set(effect)
            course.send(10)
            course.pass(50)
            if isRemoved { course.set([]) } else { course.set(effect, toxicity: 0) }
            course.send(10)
            course.end()
            course.pass(2000)
            #expect(course.log == ["50.0:\(ending)"], "\(isRemoved)")
        }
    }

    /// Without bytes, nothing is missing.
    @Test func anIdleStreamContinuesWithoutResetPeer() {
        let course = ToxicCourse()
        course.set(.resetPeer(timeout: 1000))
        course.pass(50)
        course.set([])
        course.send(10)
        course.pass(2000)
        #expect(course.log == ["50.0:10"])
    }
}
