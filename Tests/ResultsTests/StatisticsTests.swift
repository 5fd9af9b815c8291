import Results
import Testing

@Suite("Statistics of a few samples")
struct StatisticsTests {
    @Test(
        "the median is the middle value, or the mean of the two in the middle",
        arguments: [
            ([], nil), ([3], 3), ([4, 1], 2.5), ([9, 1, 5], 5), ([4, 1, 3, 2], 2.5),
            ([1, 2, .infinity], 2), ([1, .infinity], .infinity), ([1, 2, .infinity, .infinity], .infinity),
        ] as [([Double], Double?)])
    func median(_ samples: [Double], _ expected: Double?) {
        #expect(Statistics.median(samples) == expected)
    }

    @Test(
        "a quantile is a measured value",
        arguments: [
            (0.9, Array(1...10), 9), (0.9, Array(1...11), 10), (0.95, Array(1...100), 95), (0.07, Array(1...100), 7),
            (0.99, [5], 5), (0.01, Array(1...10), 1), (0.25, [4, 3, 2, 1], 1),
        ] as [(Double, [Int], Double)])
    func quantile(_ quantile: Double, _ samples: [Int], _ expected: Double) {
        #expect(Statistics.quantile(quantile, of: samples.map(Double.init)) == expected)
    }

    @Test(
        "a quantile's extreme value bounds it from this number of samples on",
        arguments: [(0.5, 5), (0.9, 29), (0.95, 59), (0.99, 299), (0.05, 59), (0.1, 29)])
    func minimumSamples(_ quantile: Double, _ expected: Int) {
        #expect(Statistics.minimumSamples(quantile: quantile) == expected)
    }

    /// The ranks are from published tables of order statistics; 2 of 9 to 8 of 9 holds the median with 96.1 %.
    @Test(
        "the median lies between these samples",
        arguments: [
            (4, nil), (5, 1...5), (6, 1...6), (7, 1...7), (8, 2...7), (9, 2...8), (15, 4...12), (21, 7...15),
            (10_000, 4918...5083),
        ] as [(Int, ClosedRange<Int>?)])
    func medianRanks(_ count: Int, _ expected: ClosedRange<Int>?) {
        #expect(Statistics.ranks(quantile: 0.5, count: count) == expected)
    }

    @Test("the ranks of any quantile have the promised confidence", arguments: [0.05, 0.5, 0.75, 0.9, 0.95])
    func ranksKeepTheirPromise(_ quantile: Double) {
        for count in [5, 29, 59, 60, 120] {
            guard let ranks = Statistics.ranks(quantile: quantile, count: count) else { continue }
            // Calculated by hand: the probability that at most k of n samples are below the quantile.
            func atMost(_ k: Int) -> Double {
                var chance = 1.0
                for _ in 0..<count { chance *= 1 - quantile }
                var sum = chance
                for i in 0..<max(0, k) {
                    chance *= Double(count - i) / Double(i + 1) * quantile / (1 - quantile)
                    sum += chance
                }
                return sum
            }
            #expect(atMost(ranks.lowerBound - 1) <= 0.05 + 1e-9)
            #expect(atMost(ranks.upperBound - 1) >= 0.95 - 1e-9)
        }
    }

    @Test("an interval's bounds are samples, in any order of input")
    func interval() {
        #expect(Statistics.interval(quantile: 0.5, of: [5, 3, 9, 1, 7]) == 1...9)
        #expect(Statistics.interval(quantile: 0.5, of: [5, 3, 9, 1]) == nil)
        #expect(Statistics.interval(quantile: 0.5, of: []) == nil)
    }

    @Test(
        "Wilson's interval shows how little 5 of 5 means",
        arguments: [(5, 5, 0.566, 1), (20, 20, 0.839, 1), (0, 10, 0, 0.278), (5, 10, 0.237, 0.763)])
    func wilson(_ successes: Int, _ trials: Int, _ lower: Double, _ upper: Double) throws {
        let interval = try #require(Statistics.wilson(successes: successes, trials: trials))
        #expect(abs(interval.lowerBound - lower) < 0.001)
        #expect(abs(interval.upperBound - upper) < 0.001)
        #expect(Statistics.wilson(successes: 0, trials: 0) == nil)
        #expect(Statistics.wilson(successes: trials + 1, trials: trials) == nil)
    }
}
