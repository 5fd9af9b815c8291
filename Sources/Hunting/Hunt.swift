package import Results

/// A search for faults that break a client.
///
/// It plays an attempt without faults first. Then it tries each single fault at each place that the client's own
/// requests suggest, with failures in a row between them, and then several faults at once. It plays each failure until
/// it knows how often the failure comes back, and reduces its faults to the fewest and simplest.
package struct Hunt<Stage: HuntStage>: Sendable {
    package var stage: Stage
    /// How long new faults are tried.
    ///
    /// Attempts that confirm failures and reduce their faults begin for at most as long again, or a minute. After that
    /// only the first comparison of a failure with attempts without faults begins.
    package var duration: Duration
    /// The most attempts; nil: any number.
    package var attempts: Int?
    /// The number of bugs after which the hunt ends; nil: any number.
    package var untilFound: Int?
    package var layers = Set(HuntFault.Layer.allCases)
    package var seed: UInt64 = 1
    /// How many attempts run at once (default: 4).
    package var width = 4
    /// Called with the progress after each attempt, and ten times a second.
    package var report: @Sendable (HuntProgress) -> Void = { _ in }
    /// The clock of the search.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    package init(_ stage: Stage, for duration: Duration) { (self.stage, self.duration) = (stage, duration) }

    /// The kinds of faults to try.
    var kinds: [HuntFault.Kind] { HuntFault.Kind.all(of: layers, metNeeds: stage.metNeeds) }

    /// Hunts, and returns what was found.
    ///
    /// Tries the candidates in `kept`, of an earlier hunt, first. If the task is cancelled, returns what was found by
    /// then. Throws ``HuntError`` if the client fails without faults or cannot be measured, and what the stage throws.
    package func perform(kept: [Candidate] = []) async throws -> HuntResult {
        var search = HuntSearch(self, kept: kept)
        try await search.perform()
        return search.result
    }
}

/// How far a hunt has come.
package struct HuntProgress: Sendable {
    package var attempts: Int
    package var seconds: Double
    package var behaviours: Int
    package var bugs: Int
    /// The current step: `1 fault at a time`, or the failure that is being confirmed or reduced, and how far that is.
    package var activity: String
    /// The worst bug so far; nil if there is none.
    package var worst: String?
}

/// How many of the possible faults and pairs were tried.
package struct HuntCoverage: Sendable, Hashable, Codable {
    /// Single faults at the places of the attempt without faults.
    package var singles = 0
    /// Those of them that happened in an attempt.
    package var singlesTried = 0
    /// Two different kinds of faults that a client could cope with in one attempt.
    package var pairs = 0
    package var pairsTried = 0
    /// How many attempts counted in which all of their faults happened.
    package var happened = 0
    /// Whether nothing was left to try, so that more time would show nothing new.
    package var isExhausted = false

    private enum CodingKeys: String, SnakeCaseKey {
        case singles, pairs, happened
        case isExhausted = "exhausted"
        case singlesTried, pairsTried
    }
}

/// The result of a hunt.
package struct HuntResult: Sendable {
    /// The confirmed bugs, the most harmful first.
    package var bugs: [HuntedBug]
    /// Failures that did not come back often enough to be reduced.
    package var unconfirmed: [UnconfirmedFailure]
    package var attempts: Int
    package var seconds: Double
    /// How many attempts did not count, three times in a row, by the reason of the last time.
    package var disturbances: [Attribution: Int] = [:]
    /// The number of these attempts.
    package var spoilt: Int { disturbances.values.reduce(0, +) }
    package var corpus: Corpus
    package var coverage = HuntCoverage()
    /// Whether the hunt was cancelled before it ended.
    package var isInterrupted: Bool
    /// The identifiers of the packs that the client requests without faults; empty if the host is not Headwind's.
    package var fetched: Set<String> = []
}

/// A failure that came back in fewer than two plays, or that was not seen to come more often than without any fault.
package struct UnconfirmedFailure: Sendable {
    package var failure: HuntFailure
    package var candidate: Candidate
    /// In how many of the plays of these faults it came back; 0 of 0 if no play counted.
    package var withFaults = PlayCount()
    /// In how many of the attempts without faults it came; 0 of 0 if it was not compared with any.
    package var withoutFaults = PlayCount()
}

/// Why a hunt cannot begin.
package enum HuntError: Error, CustomStringConvertible {
    /// The client fails even without faults.
    case failsUndisturbed(String)
    /// No attempt without faults could be measured.
    case notMeasured(String)
    /// The program opened no connection that faults could affect.
    case nothingCrossed

    package var description: String {
        switch self {
        case .failsUndisturbed(let why):
            "Could not hunt: the client fails even without faults. \(why) Fix that first."
        case .nothingCrossed:
            "Could not hunt: no connection of the program crossed the link, so no fault can affect it. In a sandbox 127.0.0.1 is the program's own: reach this machine as host.headwind.internal, or by --forward PORT."
        case .notMeasured(let why):
            "Could not hunt: no attempt without faults could be measured. \(why) 'headwind doctor' shows what this machine lacks."
        }
    }
}
