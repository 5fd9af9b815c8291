package import Results

/// What a hunt found, as a file for programs: `hunt.json`.
package struct HuntReport: Sendable, Codable {
    package static let currentSchema = 1
    package static let fileName = "hunt.json"

    /// One bug, with the fewest faults that show it.
    package struct Bug: Sendable, Codable {
        package var severity: ClientReport.Severity
        /// The bug's name; nil where no bug that has a name explains it.
        package var bug: ClientBug?
        package var conclusion: String
        /// What the client does, and when, in plain words.
        package var paragraph: String
        /// The lines of the minimal schedule.
        package var schedule: [String]
        package var cameBack: Int
        package var plays: Int
        package var foundAt: Int
        package var foundWith: Int
        package var shrinkingPlays: Int
        package var others: Int
        /// The scenario that shows it, relative to the hunt's folder; nil where none was written.
        package var scenario: String?
        /// The page with the failing attempt beside one that passes, relative to the hunt's folder; nil where there is none.
        package var page: String?

        private enum CodingKeys: String, CodingKey {
            case severity, bug, conclusion, paragraph, schedule, plays, others, scenario, page
            case cameBack = "came_back"
            case foundAt = "found_at"
            case foundWith = "found_with"
            case shrinkingPlays = "shrinking_plays"
        }
    }

    package struct Unconfirmed: Sendable, Codable {
        package var conclusion: String
        package var schedule: [String]
    }

    package var schema = Self.currentSchema
    package var seed: UInt64
    package var attempts: Int
    package var seconds: Double
    package var behaviours: Int
    /// Attempts that the machine spoilt, and that say nothing.
    package var spoilt: Int
    package var isInterrupted: Bool
    /// How much of what there is to try was tried.
    package var coverage: HuntCoverage
    /// Whether faults were tried that only a client can bear that knows the digest of the pack.
    package var knowsDigest: Bool
    package var bugs: [Bug]
    package var unconfirmed: [Unconfirmed]

    package init(_ result: HuntResult, seed: UInt64, knowsDigest: Bool) {
        (self.seed, self.knowsDigest, coverage) = (seed, knowsDigest, result.coverage)
        (attempts, seconds, spoilt) = (result.attempts, result.seconds, result.spoilt)
        (behaviours, isInterrupted) = (result.corpus.count, result.isInterrupted)
        bugs = result.bugs.map(Bug.init)
        unconfirmed = result.unconfirmed.map {
            Unconfirmed(conclusion: $0.failure.conclusion, schedule: $0.candidate.schedule.lines.map(\.text))
        }
    }

    /// 99 where bugs were found; 75 where the machine spoilt every attempt that has a fault; else 0.
    package var exitCode: Int32 {
        guard bugs.isEmpty else { return Verdict.fail.exitCode }
        return attempts <= 1 && spoilt > 0 ? Verdict.infrastructure.exitCode : 0
    }

    private enum CodingKeys: String, CodingKey {
        case seed, attempts, seconds, behaviours, spoilt, coverage, bugs, unconfirmed
        case knowsDigest = "knows_digest"
        case schema = "schema_version"
        case isInterrupted = "interrupted"
    }
}

extension HuntReport.Bug {
    fileprivate init(_ bug: HuntedBug) {
        self.init(
            severity: bug.failure.severity, bug: bug.failure.bug, conclusion: bug.failure.conclusion,
            paragraph: bug.paragraph, schedule: bug.candidate.schedule.lines.map(\.text), cameBack: bug.cameBack,
            plays: bug.plays, foundAt: bug.foundAt, foundWith: bug.foundWith, shrinkingPlays: bug.shrinkingPlays,
            others: bug.others)
    }
}

extension HuntFailure {
    /// The bug's name; nil where no bug that has a name explains it.
    package var bug: ClientBug? { if case .bug(let bug) = cause { bug } else { nil } }

    /// A short word for it, for the names of files.
    package var word: String { (bug?.rawValue ?? severity.rawValue).replacing("_", with: "-") }
}
