import Results
import Testing

@Suite("Two samples: ranks, shift, many tests")
struct RankSumTests {
    /// Mann and Whitney's table (1947) for one-sided 0.01, and 0.05 for five and eight.
    @Test(
        "critical values of U are those of published tables",
        arguments: [
            (3, 3, 0.01, nil), (4, 4, 0.01, nil), (5, 5, 0.01, 1), (7, 7, 0.01, 6), (9, 9, 0.01, 14),
            (10, 10, 0.01, 19), (5, 5, 0.05, 4), (8, 8, 0.05, 15), (4, 9, 0.01, 3), (20, 20, 0.01, 114),
            (20, 20, 0.05, 138), (6, 3, 0.05, 2),
        ] as [(Int, Int, Double, Int?)])
    func criticalU(_ first: Int, _ second: Int, _ probability: Double, _ expected: Int?) {
        #expect(RankSum.criticalU(first, second, probability: probability) == expected)
        #expect(RankSum.criticalU(second, first, probability: probability) == expected)
    }

    @Test(
        "the least probabilities are 1 divided by the number of ways to split the samples",
        arguments: [(3, 3, 20), (4, 4, 70), (5, 5, 252), (7, 7, 3432), (5, 15, 15504)] as [(Int, Int, Double)])
    func leastProbability(_ first: Int, _ second: Int, _ ways: Double) {
        let expected = 1 / ways
        #expect(abs(RankSum.leastProbability(first, second) - expected) < 1e-12)
        let low = (0..<second).map(Double.init)
        let high = (0..<first).map { Double(second + $0) }
        #expect(abs(RankSum(high, low).pLarger - expected) < 1e-12)
        #expect(RankSum(low, high).pLarger == 1)
    }

    /// Hollander and Wolfe, Nonparametric Statistical Methods, example 4.1 (permeability of membranes).
    ///
    /// The one-sided probability is 0.1272.
    @Test("a published example has the published result")
    func publishedExample() {
        let early = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
        let late = [1.15, 0.88, 0.90, 0.74, 1.21]
        let test = RankSum(early, late)
        #expect(test.u == 35 && test.isExact)
        #expect(abs(test.pLarger - 0.1272) < 0.00005)
        let shift = ShiftEstimate(early, late)
        #expect(shift.map { abs($0.shift - 0.305) < 1e-12 } == true)
    }

    @Test("with and without ties, the probability is the share of all ways to split the samples")
    func exactByHand() {
        var random = Seeded(state: 11)
        for _ in 0..<60 {
            let (n, m) = (Int.random(in: 1...5, using: &random), Int.random(in: 1...5, using: &random))
            let all = (0..<(n + m)).map { _ in Double(Int.random(in: 0...4, using: &random)) }
            func u(_ chosen: Set<Int>) -> Double {
                var sum = 0.0
                for i in chosen {
                    for j in all.indices where !chosen.contains(j) {
                        sum += all[i] > all[j] ? 1 : all[i] == all[j] ? 0.5 : 0
                    }
                }
                return sum
            }
            let was = u(Set(0..<n))
            let subsets = (0..<(1 << (n + m))).filter { $0.nonzeroBitCount == n }
            let ways = subsets.map { mask in u(Set(all.indices.filter { mask >> $0 & 1 == 1 })) }
            let share = Double(ways.count { $0 >= was }) / Double(ways.count)
            let test = RankSum(Array(all.prefix(n)), Array(all.suffix(m)))
            #expect(test.u == was)
            #expect(abs(test.pLarger - share) < 1e-12)
        }
    }

    @Test("beyond the exact size, the approximation continues the exact values")
    func approximation() {
        var random = Seeded(state: 3)
        let first = (0..<30).map { _ in Double.random(in: 0...1, using: &random) + 0.2 }
        let second = (0..<30).map { _ in Double.random(in: 0...1, using: &random) }
        let exact = RankSum(first, second)
        // One more value in the middle of both samples changes little.
        let approximate = RankSum(first + [0.6], second + [0.6])
        #expect(exact.isExact && !approximate.isExact)
        #expect(abs(exact.pLarger - approximate.pLarger) < 0.3 * exact.pLarger + 1e-4)
        #expect(RankSum([Double](repeating: 1, count: 40), [Double](repeating: 1, count: 40)).pLarger == 1)
        let critical = RankSum.criticalU(40, 40, probability: 0.05)
        // The exact value is 628 by scipy 1.17.
        #expect(critical.map { abs($0 - 628) <= 1 } == true)
    }

    @Test("a value that was never reached is larger than any other, and ties with its like")
    func never() {
        let test = RankSum([.infinity, .infinity, 5], [1, 2, .infinity])
        #expect(test.u == 7)
        #expect(ShiftEstimate([.infinity, .infinity, .infinity], [1, 2, 3])?.shift == .infinity)
        #expect(ShiftEstimate([.infinity], [.infinity])?.shift == 0)
        #expect(ShiftEstimate([1, 2, 3], [.infinity, .infinity, .infinity])?.shift == -.infinity)
        #expect(ShiftEstimate([], [1]) == nil)
    }

    @Test("the shift is a median of differences, moves with its samples, and lies in its interval")
    func shiftProperties() {
        var random = Seeded(state: 7)
        for _ in 0..<50 {
            let (n, m) = (Int.random(in: 3...12, using: &random), Int.random(in: 3...12, using: &random))
            let first = (0..<n).map { _ in Double.random(in: 0...9, using: &random) }
            let second = (0..<m).map { _ in Double.random(in: 0...9, using: &random) }
            guard let shift = ShiftEstimate(first, second), let back = ShiftEstimate(second, first),
                let moved = ShiftEstimate(first.map { $0 + 4 }, second)
            else { Issue.record("there are numbers"); continue }
            #expect(abs(shift.shift + back.shift) < 1e-9)
            #expect(abs(moved.shift - shift.shift - 4) < 1e-9)
            guard let interval = shift.interval else { continue }
            #expect(interval.contains(shift.shift))
            #expect(back.interval.map { abs($0.lowerBound + interval.upperBound) < 1e-9 } == true)
        }
    }

    @Test("samples of five and five have an interval, and each end misses the truth in 5 % at most")
    func coverage() {
        var random = Seeded(state: 1)
        var (below, above) = (0, 0)
        let trials = 1000
        for _ in 0..<trials {
            let first = (0..<5).map { _ in 3 + Double.random(in: 0...1, using: &random) }
            let second = (0..<5).map { _ in Double.random(in: 0...1, using: &random) }
            guard let interval = ShiftEstimate(first, second)?.interval else { Issue.record("no interval"); return }
            if interval.lowerBound > 3 { above += 1 }
            if interval.upperBound < 3 { below += 1 }
        }
        // Tables promise 4.76 %; three standard deviations are added.
        #expect(Double(max(below, above)) / Double(trials) < 0.0476 + 3 * 0.0067)
        #expect(ShiftEstimate([1, 2], [3, 4])?.interval == nil)
        #expect(ShiftEstimate([1, 2, 3], [4, 5, 6])?.interval == -5 ... -1)
    }

    /// The values are from Holm (1979) and from R's p.adjust.
    @Test("Holm's adjustment never decreases along the sorted probabilities")
    func holm() {
        expectHolm([], [])
        expectHolm([0.01], [0.01])
        expectHolm([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02])
        expectHolm([0.5, 0.6, 0.004], [1, 1, 0.012])
        expectHolm([0.02, 0.02], [0.04, 0.04])
    }

    private func expectHolm(_ probabilities: [Double], _ expected: [Double]) {
        let adjusted = Holm.adjusted(probabilities)
        #expect(adjusted.count == expected.count)
        for (was, wanted) in zip(adjusted, expected) { #expect(abs(was - wanted) < 1e-12) }
    }
}

/// A generator of the same numbers in every test run (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
