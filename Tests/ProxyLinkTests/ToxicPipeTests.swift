import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

/// One direction of a connection through toxics, in virtual time.
struct ToxicPipeTests {
    @Test(
        arguments: [
            ([.latency(latency: 100, jitter: 0)], ["100.0:10", "100.0:end"]),
            ([.latency(latency: 100, jitter: 0), .latency(latency: 50, jitter: 0)], ["150.0:10", "150.0:end"]),
            ([.latency(latency: -5, jitter: 0)], ["0.0:10", "0.0:end"]),
            ([.bandwidth(rate: 1)], ["10.0:10", "10.0:end"]),
            ([.bandwidth(rate: 0)], []), ([.bandwidth(rate: -1)], []), ([.noop], ["0.0:10", "0.0:end"]),
            ([.slowClose(delay: 300)], ["0.0:10", "300.0:end"]),
            ([.timeout(timeout: 200)], ["0.0:close"]), ([.timeout(timeout: 0)], ["0.0:close"]),
            ([.resetPeer(timeout: 0)], ["0.0:reset"]), ([.resetPeer(timeout: 70)], ["70.0:reset"]),
            ([.slicer(averageSize: 5, sizeVariation: 0, delay: 1000)], ["0.0:5", "1.0:5", "1.0:end"]),
            ([.slicer(averageSize: 4, sizeVariation: 0, delay: 0)], ["0.0:2", "0.0:3", "0.0:2", "0.0:3", "0.0:end"]),
            ([.limitData(bytes: 4)], ["0.0:4", "0.0:close"]), ([.limitData(bytes: 10)], ["0.0:10", "0.0:close"]),
            ([.limitData(bytes: 11)], ["0.0:10", "0.0:end"]), ([.limitData(bytes: 0)], ["0.0:close"]),
            ([.packetLoss(lossRate: 1, correlation: 0)], ["0.0:end"]),
            ([.packetLoss(lossRate: 0, correlation: 1)], ["0.0:10", "0.0:end"]),
            // In their order: a close passes through the toxics behind it.
            ([.limitData(bytes: 4), .latency(latency: 100, jitter: 0)], ["100.0:4", "100.0:close"]),
            ([.latency(latency: 100, jitter: 0), .limitData(bytes: 4)], ["100.0:4", "100.0:close"]),
            ([.bandwidth(rate: 1), .slowClose(delay: 5)], ["10.0:10", "15.0:end"]),
        ] as [([Toxic.Effect], [String])])
    func toxicsActOnTenBytesAndAnEnd(effects: [Toxic.Effect], log: [String]) {
        let course = ToxicCourse()
        course.set(effects)
        course.send(10)
        course.end()
        course.pass(10_000)
        #expect(course.log == log)
    }

    @Test(
        arguments: [
            ([.timeout(timeout: 200)], ["200.0:close"]), ([.timeout(timeout: 0)], []),
            ([.slowClose(delay: 1)], ["0.0:10"]), ([.limitData(bytes: 10)], ["0.0:10", "0.0:close"]),
        ] as [([Toxic.Effect], [String])])
    func toxicsActOnAStreamThatContinues(effects: [Toxic.Effect], log: [String]) {
        let course = ToxicCourse()
        course.set(effects)
        course.send(10)
        course.pass(10_000)
        #expect(course.log == log)
    }

    /// The documented timeout: more data does not delay it.
    @Test func dataDoesNotDelayATimeout() {
        let course = ToxicCourse()
        course.set(.timeout(timeout: 250))
        for _ in 0..<5 {
            course.send(10)
            course.pass(100)
        }
        #expect(course.log == ["250.0:close"])
    }

    @Test func aRateHoldsOverALongTime() {
        let course = ToxicCourse()
        course.set(.bandwidth(rate: 50))
        for _ in 0..<20 { course.send(32 * 1024) }
        course.end()
        course.pass(20_000)
        #expect(course.log.last == "13107.2:end")
        #expect(course.bytes.count == 20 * 32 * 1024)
    }

    @Test func latencyDelaysEachPieceSeparately() {
        let course = ToxicCourse()
        course.set(.latency(latency: 100, jitter: 0))
        for _ in 0..<3 {
            course.send(10)
            course.pass(20)
        }
        course.pass(200)
        #expect(course.log == ["100.0:10", "120.0:10", "140.0:10"])
    }

    @Test func jitterStaysWithinItsBoundsAndRepeats() throws {
        func times(seed: UInt64) -> [Double] {
            let course = ToxicCourse()
            var delays: [Double] = []
            course.toxics = [
                Toxic(name: "j", direction: .downlink, effect: .latency(latency: 100, jitter: 30))
            ]
            course.apply(seed: seed)
            for _ in 0..<200 {
                course.log = []
                let start = Double(course.now.nanoseconds) / 1e6
                course.send(1)
                course.pass(1000)
                let time = course.log.first.flatMap { Double($0.prefix { $0 != ":" }) } ?? -1
                delays.append(time - start)
            }
            return delays
        }
        let first = times(seed: 1)
        #expect(first.allSatisfy { (69.99...130.01).contains($0) })
        #expect((first.max() ?? 0) > 120 && (first.min() ?? 200) < 80)
        #expect(times(seed: 1) == first && times(seed: 2) != first)
    }

    /// Unlike Toxiproxy, where a toxic of toxicity 0 still has an effect.
    @Test(arguments: [0, -1] as [Double])
    func aToxicOfNoToxicityDoesNothing(toxicity: Double) {
        let course = ToxicCourse()
        for effect in [Toxic.Effect.timeout(timeout: 1), .resetPeer(timeout: 0), .bandwidth(rate: 0)] {
            course.set([effect], toxicity: toxicity)
            course.send(10)
        }
        course.set([])
        course.end()
        #expect(course.log == ["0.0:10", "0.0:10", "0.0:10", "0.0:end"])
    }

    /// As in Toxiproxy, bytes count towards the limit only while the toxic affects the connection.
    @Test func aLimitCountsWhileItApplies() {
        let course = ToxicCourse()
        for (toxicity, count, said) in [
            (0.0, 200, ["0.0:200"]), (1, 60, ["0.0:60"]), (0, 80, ["0.0:80"]), (1, 60, ["0.0:40", "0.0:close"]),
        ] {
            course.log = []
            course.set(.limitData(bytes: 100), toxicity: toxicity)
            course.send(count)
            #expect(course.log == said)
        }
    }

    @Test func toxicityIsAShareOfConnections() {
        var affected: [Set<Int>] = []
        for toxicity in [0.2, 0.6] {
            var hit: Set<Int> = []
            for order in 1...1000 {
                let pipe = ToxicPipe()
                let toxic = Toxic(
                    name: "t", direction: .uplink, toxicity: toxicity, effect: .packetLoss(lossRate: 1, correlation: 0))
                pipe.apply(
                    [toxic], dice: { ToxicDice(seed: 7, proxy: "p", toxic: $0, order: order) },
                    at: Instant(nanoseconds: 0))
                pipe.take(ByteBuffer(bytes: [1]), at: Instant(nanoseconds: 0))
                if pipe.next(at: Instant(nanoseconds: 0)) == nil { hit.insert(order) }
            }
            affected.append(hit)
        }
        #expect((150...250).contains(affected[0].count) && (550...650).contains(affected[1].count))
        #expect(affected[0].isSubset(of: affected[1]))
    }

    @Test func lossHasItsRateAndItsBursts() {
        func lost(_ correlation: Double) -> (share: Double, runs: Int) {
            let course = ToxicCourse()
            course.set(.packetLoss(lossRate: 0.2, correlation: correlation))
            var wasLost = false
            var (count, runs) = (0, 0)
            for _ in 0..<5000 {
                let before = course.bytes.count
                course.send([1])
                let isLost = course.bytes.count == before
                if isLost { count += 1 }
                if isLost, !wasLost { runs += 1 }
                wasLost = isLost
            }
            return (Double(count) / 5000, runs)
        }
        let alone = lost(0)
        let bursts = lost(0.6)
        #expect((0.17...0.23).contains(alone.share))
        // p / (1 - correlation) in the long run.
        #expect((0.44...0.56).contains(bursts.share))
        #expect(Double(bursts.runs) / bursts.share < Double(alone.runs) / alone.share)
    }

    @Test(arguments: [
        (1000, 100, 50), (1000, 1, 0), (1000, 0, 0), (1000, -5, -9), (1, 10, 3), (32_768, 7, 100_000),
        (5000, Int64.max, Int64.max),
    ])
    func slicesAddUp(bytes: Int, size: Int64, variation: Int64) {
        var slices = Slices(of: bytes, averageSize: size, variation: variation) { Double($0 * 7919 % 1000) / 1000 }
        var sum = 0
        while let slice = slices.next() {
            #expect(slice >= 1)
            sum += slice
        }
        #expect(sum == bytes)
    }

    @Test func waitingBytesAreBounded() {
        let course = ToxicCourse()
        course.set(.bandwidth(rate: 1))
        #expect(!course.pipe.isFull(isScarce: false))
        course.send(64 * 1024)
        #expect(course.pipe.isFull(isScarce: false))
        course.set(.latency(latency: 10_000, jitter: 0))
        #expect(!course.pipe.isFull(isScarce: false) && course.pipe.isFull(isScarce: true))
        for _ in 0..<1024 { course.send([1]) }
        #expect(course.pipe.isFull(isScarce: false))
    }
}
