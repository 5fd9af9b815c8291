import LinkModel
import Synchronization
import Testing

@testable import Hunting

/// The reduction of lists, and tests that decide early.
@Suite struct ShrinkingTests {
    @Test(
        "the elements that are needed remain, after few trials",
        arguments: [(1, [0]), (8, [3]), (156, [80]), (156, [0, 155]), (200, [7, 8, 120]), (3, [0, 1, 2])])
    func leavesTheNeededElements(_ count: Int, _ needed: [Int]) async throws {
        let trials = Mutex(0)
        let shrinking = Shrinking<Int> { list in
            trials.withLock { $0 += 1 }
            return needed.allSatisfy(list.contains)
        }
        #expect(try await shrinking.minimum(of: Array(0..<count)) == needed)
        #expect(trials.withLock { $0 } <= 1 + 2 * needed.count * (Int.bitWidth - count.leadingZeroBitCount) * 4)
    }

    @Test("nothing remains if nothing is needed") func leavesNone() async throws {
        #expect(try await Shrinking<Int> { _ in true }.minimum(of: [1, 2, 3]).isEmpty)
    }

    @Test("if several lists are enough, one remains that cannot be reduced")
    func isMinimal() async throws {
        let holds: @Sendable ([Int]) -> Bool = { $0.contains(3) && $0.contains(9) || $0.count { $0 > 50 } >= 3 }
        let left = try await Shrinking<Int> { holds($0) }.minimum(of: Array(0..<100))
        #expect(holds(left))
        for index in left.indices {
            var fewer = left
            fewer.remove(at: index)
            #expect(!holds(fewer))
        }
    }

    @Test(
        "an unchanged rate is seldom taken for a lower one, and a lower rate seldom for an unchanged one",
        arguments: [1.0, 0.9, 0.6, 0.3])
    func errsSeldom(_ rate: Double) {
        var random = SeededGenerator(seed: 3)
        func share(of answer: SequentialTest.Answer, at actual: Double) -> Double {
            let runs = 2000
            var hits = 0
            for _ in 0..<runs {
                var test = SequentialTest(rate: rate)
                while test.answer == .unknown {
                    test.add(happened: Double.random(in: 0..<1, using: &random) < actual)
                }
                if test.answer == answer { hits += 1 }
            }
            return Double(hits) / Double(runs)
        }
        #expect(share(of: .lessOften, at: rate) <= 0.07)
        #expect(share(of: .asBefore, at: rate / 2) <= 0.07)
    }

    @Test("a failure that always comes back is decided after a few plays")
    func decidesEarly() {
        #expect(SequentialTest(rate: 1).leastTrials <= 5)
        var test = SequentialTest(rate: 1)
        for _ in 0..<2 { test.add(happened: false) }
        #expect(test.answer == .lessOften)
    }

    @Test(
        "chance explains a difference as often as it should",
        arguments: [(4, 4, 0, 4, 1.0 / 70), (3, 4, 1, 4, 17.0 / 70), (2, 12, 0, 12, 66.0 / 276), (0, 5, 3, 9, 1)])
    func comparesSeries(_ more: Int, _ count: Int, _ less: Int, _ others: Int, _ expected: Double) {
        let (first, second) = (PlayCount(cameBack: more, plays: count), PlayCount(cameBack: less, plays: others))
        #expect(abs(FisherTest.probability(first, without: second) - expected) < 1e-9)
    }

    @Test("many lost packets of a connection are tried as one outage, and other lines stay")
    func lifts() throws {
        let lines = try FaultSchedule(
            parsing: """
                L2 conn=/a.bin down off=1448 len=1448 tx=1 drop
                L2 conn=/a.bin down off=14480 len=1448 tx=1 drop
                L2 conn=/a.bin up ack=3 tx=1 drop
                L2 conn=2 down off=0 len=1448 tx=1 drop
                L1 GET /a.bin from=0 try=1 status=503
                """
        ).lines
        let lifted = LiftedLine.candidates(of: lines)
        #expect(lifted.first?.line.text == "link outage kind=silent after=conn/a.bin:down:1448 until=+300ms")
        #expect(lifted.allSatisfy { $0.others == Array(lines[3...]) })
        #expect(Set(lifted.map(\.line)).count == lifted.count)
        #expect(lines.map(\.isAcknowledgement) == [false, false, true, false, false])
    }
}
