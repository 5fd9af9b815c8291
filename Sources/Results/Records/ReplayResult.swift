/// How often a failure came back.
package struct ReplayResult: Hashable, Sendable, Encodable {
    package static let currentSchema = 1

    /// One play of the schedule.
    package struct Play: Hashable, Sendable, Encodable {
        package var outcome: Outcome
        /// The failure of this play; nil if it did not fail, or could not be played.
        package var failure: FailureFingerprint?
        /// Why it could not be played, or which checks failed, in sentences.
        package var sentences: [String]
        package var seconds: Double
        /// The last lines of the client's standard error; nil unless the client failed otherwise and wrote some.
        package var clientOutput: [String]?

        private enum CodingKeys: String, SnakeCaseKey { case outcome, failure, sentences, seconds, clientOutput }

        /// A play with this outcome.
        package init(
            outcome: Outcome, failure: FailureFingerprint?, sentences: [String], seconds: Double,
            clientOutput: [String]? = nil
        ) {
            (self.outcome, self.failure, self.sentences, self.seconds) = (outcome, failure, sentences, seconds)
            self.clientOutput = clientOutput
        }
    }

    package enum Outcome: String, Hashable, Sendable, Encodable {
        case cameBack = "came_back"
        case held
        /// The client failed, but not as it did in the bundle.
        case failedOtherwise = "failed_otherwise"
        /// There was trouble that the client did not cause, so there is no result.
        case notPlayed = "not_played"
    }

    package enum Word: String, Hashable, Sendable, Encodable {
        case deterministic
        case probabilistic
        case notReproduced = "not reproduced"
    }

    package var schema = Self.currentSchema
    package var cell: String
    package var failure: FailureFingerprint
    /// How many plays were requested.
    package var times: Int
    /// All plays, including those without a result.
    package var plays: [Play] = []
    /// Differences from the state when the bundle was made.
    package var differences: [String] = []
    /// The exit code if no play has a result: that of the trouble.
    package var troubleCode = Verdict.infrastructure.exitCode

    /// A result without plays and differences so far.
    package init(cell: String, failure: FailureFingerprint, times: Int) {
        (self.cell, self.failure, self.times) = (cell, failure, times)
    }

    /// The number of plays with a result.
    package var played: Int { plays.count { $0.outcome != .notPlayed } }
    package var cameBack: Int { plays.count { $0.outcome == .cameBack } }
    package var failedOtherwise: Int { plays.count { $0.outcome == .failedOtherwise } }

    /// nil if fewer plays than requested have a result, and none of them has the failure.
    package var word: Word? {
        guard cameBack > 0 else { return played < times ? nil : .notReproduced }
        return cameBack == played ? .deterministic : .probabilistic
    }

    /// Whether the client passed all requested plays.
    package var isFixed: Bool { word == .notReproduced && failedOtherwise == 0 }

    /// Wilson's 95 % interval of the rate of failure; nil if no play has a result.
    package var interval: ClosedRange<Double>? { Statistics.wilson(successes: cameBack, trials: played) }

    /// 99 if the failure came back, 97 if it did not; otherwise that of the trouble, 75 or 69.
    package var exitCode: Int32 {
        switch word {
        case .deterministic?, .probabilistic?: 99
        case .notReproduced?: 97
        case nil: troubleCode
        }
    }

    /// The exit code for `git bisect run`: 1 for a bad client, 0 for a good one, 125 to skip it.
    ///
    /// A client that fails otherwise is skipped: it may not have reached the point of the failure.
    package var bisectCode: Int32 {
        switch word {
        case .deterministic?, .probabilistic?: 1
        case .notReproduced?: isFixed ? 0 : 125
        case nil: 125
        }
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case cell, failure, times, plays, differences, played, word
        case schema = "schema_version"
        case cameBack, failedOtherwise, intervalLower, intervalUpper, troubleCode
    }
}

extension ReplayResult {
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(schema, forKey: .schema)
        try values.encode(cell, forKey: .cell)
        try values.encode(failure, forKey: .failure)
        try values.encode(times, forKey: .times)
        try values.encode(plays, forKey: .plays)
        try values.encode(differences, forKey: .differences)
        try values.encode(played, forKey: .played)
        try values.encode(cameBack, forKey: .cameBack)
        try values.encode(failedOtherwise, forKey: .failedOtherwise)
        try values.encode(word, forKey: .word)
        try values.encode(interval?.lowerBound, forKey: .intervalLower)
        try values.encode(interval?.upperBound, forKey: .intervalUpper)
        try values.encode(troubleCode, forKey: .troubleCode)
    }
}

/// The findings that kept all plays from counting.
package struct ReplayTrouble: Error, CustomStringConvertible, Sendable {
    let findings: [Finding]

    /// The trouble that these findings report.
    package init(findings: [Finding]) { self.findings = findings }

    /// The exit code of the most severe finding.
    package var exitCode: Int32 { findings.map(\.attribution.row.exitCode).max() ?? Verdict.infrastructure.exitCode }
    package var description: String { findings.map(\.description).joined(separator: " ") }
}
