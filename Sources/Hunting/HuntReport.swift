package import Results

/// The findings of a hunt as a machine-readable file: `hunt.json`.
package struct HuntReport: Sendable, Codable {
    package static let currentSchema = 1
    package static let fileName = "hunt.json"

    /// One bug, with the fewest faults that show it.
    package struct Bug: Sendable, Codable {
        package var severity: ClientReport.Severity
        /// The name of the bug; nil if no named bug explains the failure.
        package var bug: ClientBug?
        package var conclusion: String
        /// What the client does, and when, as a sentence.
        package var paragraph: String
        /// The lines of the minimal schedule.
        package var schedule: [String]
        package var cameBack: Int
        package var plays: Int
        /// Wilson's 95 % interval for how often it comes back.
        package var intervalLower: Double?
        package var intervalUpper: Double?
        /// In how many of the ``playsWithout`` attempts without faults it came.
        package var cameBackWithout: Int
        package var playsWithout: Int
        package var foundAt: Int
        package var foundWith: Int
        package var shrinkingPlays: Int
        /// Whether these are the fewest and simplest faults; false if time was short, or the failure too rare.
        package var isReduced: Bool
        package var others: Int
        /// The scenario that reproduces it, relative to the hunt's folder; nil if none was written.
        package var scenario: String?
        /// The page that compares the failing attempt with a passing one, relative to the hunt's folder; nil if there
        /// is none.
        package var page: String?

        private enum CodingKeys: String, SnakeCaseKey {
            case severity, bug, conclusion, paragraph, schedule, plays, others, scenario, page, cameBack, intervalLower,
                intervalUpper, cameBackWithout, playsWithout, foundAt, foundWith, shrinkingPlays
            case isReduced = "reduced"
        }
    }

    package struct Unconfirmed: Sendable, Codable {
        package var conclusion: String
        package var schedule: [String]
        /// In how many of the ``plays`` of this schedule it came back; 0 of 0 if no play counted.
        package var cameBack: Int
        package var plays: Int
        /// In how many of the ``playsWithout`` attempts without faults it came; both are nil if it was not compared.
        package var cameBackWithout: Int?
        package var playsWithout: Int?

        private enum CodingKeys: String, SnakeCaseKey {
            case conclusion, schedule, plays, cameBack, cameBackWithout, playsWithout
        }
    }

    package var schema = Self.currentSchema
    package var seed: UInt64
    package var attempts: Int
    package var seconds: Double
    package var behaviours: Int
    /// Attempts that the machine or Headwind disturbed, and that do not count.
    package var spoilt: Int
    /// How many of them had each reason; the keys are raw values of `Attribution`.
    package var disturbances: [String: Int]
    package var isInterrupted: Bool
    /// How many of the possible faults and pairs were tried.
    package var coverage: HuntCoverage
    /// Whether the hunt tried faults that only a client with the digest of the pack can cope with.
    package var knowsDigest: Bool
    /// Whether the hunt could fill the client's device.
    package var hasDevice: Bool
    /// Whether the client looks up names that could be unknown.
    package var looksUpNames: Bool
    package var bugs: [Bug]
    package var unconfirmed: [Unconfirmed]

    package init(_ result: HuntResult, seed: UInt64, knowsDigest: Bool, metNeeds: Set<HuntFault.Need>) {
        (self.seed, self.knowsDigest) = (seed, knowsDigest)
        (hasDevice, looksUpNames) = (metNeeds.contains(.device), metNeeds.contains(.names))
        coverage = result.coverage
        (attempts, seconds, spoilt) = (result.attempts, result.seconds, result.spoilt)
        disturbances = Dictionary(uniqueKeysWithValues: result.disturbances.map { ($0.key.rawValue, $0.value) })
        (behaviours, isInterrupted) = (result.corpus.count, result.isInterrupted)
        bugs = result.bugs.map(Bug.init)
        unconfirmed = result.unconfirmed.map(Unconfirmed.init)
    }

    /// Whether no attempt had all of its faults, so that the hunt shows nothing about the client.
    package var triedNothing: Bool { coverage.happened == 0 }

    /// 99 if bugs were found, 75 if no attempt had all of its faults, else 0.
    package var exitCode: Int32 {
        guard bugs.isEmpty else { return Verdict.fail.exitCode }
        return triedNothing ? Verdict.infrastructure.exitCode : 0
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case seed, attempts, seconds, behaviours, spoilt, disturbances, coverage, bugs, unconfirmed, knowsDigest,
            hasDevice, looksUpNames
        case schema = "schema_version"
        case isInterrupted = "interrupted"
    }
}

extension HuntReport.Bug {
    fileprivate init(_ bug: HuntedBug) {
        self.init(
            severity: bug.failure.severity, bug: bug.failure.bug, conclusion: bug.failure.conclusion,
            paragraph: bug.paragraph, schedule: bug.candidate.schedule.lines.map(\.text),
            cameBack: bug.withFaults.cameBack,
            plays: bug.withFaults.plays, intervalLower: bug.interval?.lowerBound,
            intervalUpper: bug.interval?.upperBound,
            cameBackWithout: bug.withoutFaults.cameBack, playsWithout: bug.withoutFaults.plays, foundAt: bug.foundAt,
            foundWith: bug.foundWith, shrinkingPlays: bug.shrinkingPlays, isReduced: bug.isReduced, others: bug.others)
    }
}

extension HuntReport.Unconfirmed {
    fileprivate init(_ failure: UnconfirmedFailure) {
        let without = failure.withoutFaults.plays > 0 ? failure.withoutFaults : nil
        self.init(
            conclusion: failure.failure.conclusion, schedule: failure.candidate.schedule.lines.map(\.text),
            cameBack: failure.withFaults.cameBack, plays: failure.withFaults.plays, cameBackWithout: without?.cameBack,
            playsWithout: without?.plays)
    }
}

extension HuntFailure {
    /// The name of the bug; nil if no named bug explains the failure.
    package var bug: ClientBug? { if case .bug(let bug) = cause { bug } else { nil } }

    /// A short name for use in file names: the bug's, or else the severity.
    package var word: String { (bug?.rawValue ?? severity.rawValue).replacing("_", with: "-") }
}
