/// One budget or expectation of a cell, judged.
package struct CheckResult: Hashable, Sendable, Codable {
    /// What was checked.
    package enum Kind: String, Codable, Sendable { case expectation, budget }

    package var kind: Kind
    /// A name that stays from run to run, unlike the limit: `time_to_available.median`, `available`.
    package var name: String
    /// What was asked for, as a scenario writes it: `median <= 1.2 x ideal + 12 s`.
    package var asked: String
    package var verdict: Verdict
    /// What came out, in one line for people, without a full stop.
    package var sentence: String
    /// The numbers; nil for an expectation.
    package var evidence: Evidence?
    /// The attempts that broke it by themselves.
    package var brokenIn: [Int]

    package init(
        _ kind: Kind,
        name: String,
        asked: String,
        verdict: Verdict,
        sentence: String,
        evidence: Evidence? = nil,
        brokenIn: [Int] = []
    ) {
        self.kind = kind
        self.name = name
        self.asked = asked
        self.verdict = verdict
        self.sentence = sentence
        self.evidence = evidence
        self.brokenIn = brokenIn
    }

    private enum CodingKeys: String, CodingKey {
        case kind, name, asked, verdict, sentence, evidence
        case brokenIn = "broken_in_attempts"
    }
}

/// The numbers behind the verdict on a budget, in base units; what is unknown is null.
package struct Evidence: Hashable, Sendable, Codable {
    package var metric: Metric
    package var unit: MetricUnit
    /// The statistic that was really taken: `max` where p95 was asked for and there were too few attempts.
    package var statistic: String
    /// What was measured in each counted attempt, in order; null where it never came or is unknown.
    package var values: [Double?]
    /// The statistic of the values; nil where it is beyond every number.
    package var measured: Double?
    /// The ends of the interval in which the true statistic lies, each by 95 %; nil where none was taken.
    package var intervalLower: Double?
    package var intervalUpper: Double?
    /// The limit, with its basis put in; nil where that is unknown.
    package var limit: Double?
    /// What the limit is a multiple of; nil for a fixed limit.
    package var basis: Basis?
    /// The number of the basis; nil without one, and where it is unknown.
    package var basisValue: Double?

    private enum CodingKeys: String, CodingKey {
        case metric, unit, statistic, values, measured, limit, basis
        case basisValue = "basis_value"
        case intervalLower = "interval_lower"
        case intervalUpper = "interval_upper"
    }
}
