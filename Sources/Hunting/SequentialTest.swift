import Glibc

/// Wald's sequential probability ratio test: whether something happens as often as before, or only half as often.
///
/// A. Wald, Sequential Tests of Statistical Hypotheses, 1945. Both error probabilities are about 5 %.
///
/// For a rate below 0.15 the test often ends undecided: then it answers "less often", although the rate is unchanged.
package struct SequentialTest: Sendable {
    package enum Answer: Sendable { case asBefore, lessOften, unknown }

    private let gain: Double
    private let loss: Double
    private var ratio = 0.0
    private(set) var trials = 0

    /// The probability of an error of either kind.
    package static let error = 0.05
    private static let bound = log((1 - error) / error)
    /// The highest rate that is assumed: a few observations prove no certainty.
    private static let mostCertain = 0.95
    /// A test undecided after this many trials answers "less often": a line is kept rather than dropped.
    private static let mostTrials = 300

    /// `rate` is how often it happened before, above 0 and at most 1; it is limited to 0.05 to 0.95.
    package init(rate: Double) {
        let before = min(max(rate, 0.05), Self.mostCertain)
        let less = before / 2
        gain = log(before / less)
        loss = log((1 - before) / (1 - less))
    }

    /// Takes one trial into account.
    package mutating func add(happened: Bool) {
        ratio += happened ? gain : loss
        trials += 1
    }

    /// The fewest further trials that can decide, if all have the same result.
    package var leastTrials: Int {
        let up = ((Self.bound - ratio) / gain).rounded(.up)
        let down = ((-Self.bound - ratio) / loss).rounded(.up)
        return max(1, Int(min(up, down)))
    }

    /// Whether something happens as often as `rate` says, by trials that are made in parallel.
    ///
    /// If it happens less often, but more than half as often, the result may be either.
    ///
    /// `trials` makes the given number of trials, and returns in how many it happened, of how many. It may return
    /// fewer; if it returns none, the result is false.
    package static func holds(
        rate: Double, trials: (Int) async throws -> (happened: Int, of: Int)
    ) async throws -> Bool {
        var test = SequentialTest(rate: rate)
        while test.answer == .unknown {
            // The number that decides at once if all agree.
            let (happened, count) = try await trials(test.leastTrials)
            guard count > 0 else { return false }
            for number in 0..<count { test.add(happened: number < happened) }
        }
        return test.answer == .asBefore
    }

    package var answer: Answer {
        if ratio >= Self.bound { return .asBefore }
        if ratio <= -Self.bound || trials >= Self.mostTrials { return .lessOften }
        return .unknown
    }
}

/// Fisher's exact test, one-sided: whether something happens more often in one series of trials than in another.
///
/// R. A. Fisher, Statistical Methods for Research Workers, 1934, section 21.02.
enum FisherTest {
    /// The probability that chance puts at least so many of all failures into the first series.
    static func probability(_ first: PlayCount, without second: PlayCount) -> Double {
        let events = first.cameBack + second.cameBack
        let all = ways(events, of: first.plays + second.plays)
        return (first.cameBack...min(events, first.plays)).reduce(0) { sum, count in
            sum + ways(count, of: first.plays) * ways(events - count, of: second.plays) / all
        }
    }

    /// The number of ways to choose `count` of `total`.
    private static func ways(_ count: Int, of total: Int) -> Double {
        count > total ? 0 : (0..<count).reduce(1) { $0 * Double(total - $1) / Double($1 + 1) }
    }
}
