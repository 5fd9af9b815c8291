import Glibc

/// Wald's sequential probability ratio test: whether something happens as often as it did before, or half as often.
///
/// A. Wald, Sequential Tests of Statistical Hypotheses, 1945. Both errors are at most 5 %.
package struct SequentialTest: Sendable {
    package enum Answer: Sendable { case asBefore, lessOften, unknown }

    private let gain: Double
    private let loss: Double
    private var ratio = 0.0
    private(set) var trials = 0

    /// The error of either kind.
    package static let error = 0.05
    private static let bound = log((1 - error) / error)
    /// Nothing that was seen a few times is certain.
    private static let mostCertain = 0.95
    /// Undecided after so many trials, it counts as less often: a line is kept rather than dropped.
    private static let mostTrials = 300

    /// `rate` is how often it happened before, above 0 and at most 1.
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

    /// How many more trials decide, at least, where all of them are alike.
    package var leastTrials: Int {
        let up = ((Self.bound - ratio) / gain).rounded(.up)
        let down = ((-Self.bound - ratio) / loss).rounded(.up)
        return max(1, Int(min(up, down)))
    }

    /// Whether something happens as often as at `rate`, by trials that are made side by side.
    ///
    /// `trials` makes so many, and answers how many of how many say that it happened; fewer may say anything, and none ends it.
    package static func holds(
        rate: Double, trials: (Int) async throws -> (happened: Int, of: Int)
    ) async throws -> Bool {
        var test = SequentialTest(rate: rate)
        while test.answer == .unknown {
            // As many as decide at once where all of them agree.
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
