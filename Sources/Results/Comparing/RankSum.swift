import Glibc
import Synchronization

/// The one-sided test of Mann and Whitney (Wilcoxon's rank sum test): whether the numbers of one sample are larger than
/// another's, whatever their distributions are.
///
/// Up to ``mostExact`` numbers in all, the probability is exact, even if numbers are equal: the share of all ways to
/// deal the measured numbers to the two samples that give at least this rank sum. Above that, it is the normal
/// approximation with the corrections for ties and for continuity. A number may be infinite, which is larger or
/// smaller than any other; none may be NaN.
package struct RankSum: Hashable, Sendable {
    /// The most numbers, those of both samples together, for which the probability is exact.
    package static let mostExact = 60

    /// The number of pairs in which the first sample's number is larger; a pair of equal numbers counts half.
    package let u: Double
    /// The probability of a ``u`` at least as large if both samples have one distribution; 1 if a sample is empty.
    package let pLarger: Double
    package let isExact: Bool

    /// Compares two samples.
    package init(_ first: [Double], _ second: [Double]) {
        precondition(!(first + second).contains(where: \.isNaN), "NaN has no rank")
        let ranks = Self.doubledRanks(first + second)
        let sum = ranks.prefix(first.count).reduce(0, +)
        u = Double(sum - first.count * (first.count + 1)) / 2
        isExact = ranks.count <= Self.mostExact
        guard !first.isEmpty, !second.isEmpty else {
            pLarger = 1
            return
        }
        pLarger =
            isExact
            ? Self.exact(ranks, taken: first.count, atLeast: sum)
            : Self.approximate(u: u, first.count, second.count, ranks: ranks)
    }

    /// Twice the rank of each number, which makes all ranks whole; equal numbers have the mean of their places.
    private static func doubledRanks(_ numbers: [Double]) -> [Int] {
        let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
        var ranks = [Int](repeating: 0, count: numbers.count)
        var start = 0
        while start < order.count {
            var end = start
            while end + 1 < order.count, numbers[order[end + 1]] == numbers[order[start]] { end += 1 }
            for place in start...end { ranks[order[place]] = start + end + 2 }
            start = end + 1
        }
        return ranks
    }

    /// The share of all choices of `taken` ranks whose sum is at least `sum`.
    private static func exact(_ ranks: [Int], taken: Int, atLeast sum: Int) -> Double {
        // Counting takes less time if fewer are chosen.
        guard taken * 2 <= ranks.count else {
            return tail(ranks, taken: ranks.count - taken) { $0 <= ranks.reduce(0, +) - sum }
        }
        return tail(ranks, taken: taken) { $0 >= sum }
    }

    private static func tail(_ ranks: [Int], taken: Int, where isIn: (Int) -> Bool) -> Double {
        let ways = waysToChoose(taken, of: ranks)
        let all = ways.reduce(0, +)
        let some = ways.indices.reduce(0.0) { isIn($1) ? $0 + ways[$1] : $0 }
        return min(1, some / all)
    }

    /// The number of ways to choose `count` of these numbers, indexed by the sum of the chosen ones.
    ///
    /// The numbers of ways are at most 1.2e17, and a Double keeps all their significant digits that matter.
    static func waysToChoose(_ count: Int, of numbers: [Int]) -> [Double] {
        let most = numbers.sorted(by: >).prefix(count).reduce(0, +)
        let width = most + 1
        // One row for each count of chosen numbers, 0 to `count`.
        var ways = [Double](repeating: 0, count: (count + 1) * width)
        ways[0] = 1
        ways.withUnsafeMutableBufferPointer { ways in
            for (index, number) in numbers.enumerated() where number <= most {
                var chosen = min(count, index + 1)
                while chosen > 0 {
                    var sum = most
                    while sum >= number {
                        ways[chosen * width + sum] += ways[(chosen - 1) * width + sum - number]
                        sum -= 1
                    }
                    chosen -= 1
                }
            }
        }
        return Array(ways.suffix(width))
    }

    private static func approximate(u: Double, _ first: Int, _ second: Int, ranks: [Int]) -> Double {
        let (n, m) = (Double(first), Double(second))
        let ties = Dictionary(grouping: ranks) { $0 }.values.reduce(0.0) {
            let t = Double($1.count)
            return $0 + (t * t * t - t)
        }
        let all = n + m
        let variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)))
        guard variance > 0 else { return 1 }
        return erfc((u - n * m / 2 - 0.5) / variance.squareRoot() / 2.0.squareRoot()) / 2
    }
}

extension RankSum {
    /// The smallest probability that samples of these sizes can have: all numbers of one are above all of the other.
    ///
    /// It is 1 in C(n + m, n): 0.05 for 3 and 3, 0.004 for 5 and 5; 1 if a size is 0.
    package static func leastProbability(_ first: Int, _ second: Int) -> Double {
        guard first > 0, second > 0 else { return 1 }
        let (n, m) = (Double(first), Double(second))
        return exp(lgamma(n + 1) + lgamma(m + 1) - lgamma(n + m + 1))
    }

    /// The largest number of pairs on the wrong side with which samples of these sizes, without ties, still have at
    /// most this probability; nil if there is none.
    package static func criticalU(_ first: Int, _ second: Int, probability: Double) -> Int? {
        guard first > 0, second > 0 else { return nil }
        guard first + second <= mostExact else {
            let (n, m) = (Double(first), Double(second))
            let spread = (n * m * (n + m + 1) / 12).squareRoot()
            let u = (n * m / 2 - 0.5 - normalQuantile(1 - probability) * spread).rounded(.down)
            return u < 0 ? nil : Int(u)
        }
        let sizes = [min(first, second), max(first, second), Int((probability * 1e9).rounded())]
        if let known = criticals.withLock({ $0[sizes] }) { return known }
        let critical = exactCriticalU(few: sizes[0], many: sizes[1], probability)
        criticals.withLock { $0[sizes] = .some(critical) }
        return critical
    }

    /// The critical values computed so far, because an interval is taken after every attempt.
    private static let criticals = Mutex<[[Int]: Int?]>([:])

    private static func exactCriticalU(few: Int, many: Int, _ probability: Double) -> Int? {
        let ways = waysToChoose(few, of: Array(1...(few + many)))
        let limit = probability * ways.reduce(0, +) * (1 + 1e-12)
        var (sum, critical) = (0.0, Int?.none)
        for u in 0...(few * many) {
            sum += ways[u + few * (few + 1) / 2]
            guard sum <= limit else { break }
            critical = u
        }
        return critical
    }

    /// The number below which a standard normal variable lies with this probability, found by bisection.
    private static func normalQuantile(_ probability: Double) -> Double {
        var (low, high) = (-40.0, 40.0)
        for _ in 0..<200 {
            let middle = (low + high) / 2
            if erfc(-middle / 2.0.squareRoot()) / 2 < probability { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
