/// A search for faults that break a client.
///
/// First nothing goes wrong, then each single fault does at each place that the client's own requests make interesting, then several.
/// A failure is played until it is known how often it comes back, and made as small as it gets.
package struct Hunt<Stage: HuntStage>: Sendable {
    package var stage: Stage
    /// How long new faults are tried; what was found is confirmed and shrunk beyond that.
    package var duration: Duration
    /// How many attempts are made at most; nil: any number.
    package var attempts: Int?
    /// How many bugs are enough; nil: any number.
    package var untilFound: Int?
    package var layers = Set(HuntFault.Layer.allCases)
    package var seed: UInt64 = 1
    /// How many attempts are asked for at once.
    package var width = 4
    /// Whether an error where a second try had been enough is no failure.
    package var allowsGivingUp = false
    /// Told now and then how far it has come.
    package var report: @Sendable (HuntProgress) -> Void = { _ in }
    /// The moments of the search.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// How many pairs of different kinds there are.
    var pairs: Int {
        let kinds = HuntFault.Kind.allCases.count { layers.contains($0.row.layer) }
        return kinds * (kinds - 1) / 2
    }

    package init(_ stage: Stage, for duration: Duration) { (self.stage, self.duration) = (stage, duration) }

    /// Hunts, and says what was found.
    ///
    /// Begins with what `kept` of an earlier hunt has. A task that is cancelled ends with what was found by then. Throws
    /// ``HuntError`` where the client does not even download where nothing goes wrong, and what the stage throws.
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
    /// What is going on: `single faults`, or the failure that is made smaller.
    package var activity: String
    /// The worst bug so far; nil where there is none.
    package var worst: String?
}

/// How much of what there is to try was tried.
package struct HuntCoverage: Sendable, Hashable, Codable {
    /// Single faults at the places of the attempt in which nothing went wrong.
    package var singles = 0
    package var singlesTried = 0
    /// Two different kinds of faults in one attempt.
    package var pairs = 0
    package var pairsTried = 0

    private enum CodingKeys: String, CodingKey {
        case singles, pairs
        case singlesTried = "singles_tried"
        case pairsTried = "pairs_tried"
    }
}

/// The result of a hunt.
package struct HuntResult: Sendable {
    /// The most harmful first.
    package var bugs: [HuntedBug]
    /// Failures that were seen, and did not come back often enough to be made smaller.
    package var unconfirmed: [(failure: HuntFailure, candidate: Candidate)]
    package var attempts: Int
    package var seconds: Double
    /// Attempts that the machine or Headwind spoilt, and that say nothing.
    package var spoilt: Int
    package var corpus: Corpus
    package var coverage = HuntCoverage()
    /// Whether it was ended from outside.
    package var isInterrupted: Bool
}

/// Why a hunt does not begin.
package enum HuntError: Error, CustomStringConvertible {
    /// The client fails where nothing goes wrong.
    case failsUndisturbed(String)
    /// No attempt without faults could be measured.
    case notMeasured(String)
    /// The program used no connection that faults could meet.
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
