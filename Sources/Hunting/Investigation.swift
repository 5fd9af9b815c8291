import Synchronization

/// Plays a failure until it is known how often it comes back, then reduces its faults to fewer and simpler ones.
struct Investigation<Stage: HuntStage>: Sendable {
    let stage: Stage
    let failure: HuntFailure
    let candidate: Candidate
    /// The number of the attempt that failed.
    let foundAt: Int
    /// How many reduced lists are tried at once.
    let width: Int
    let progress: InvestigationProgress
    /// Whether the time to reduce the faults has passed.
    let isOverdue: @Sendable () -> Bool

    /// The number of plays that must all fail to confirm a failure; otherwise there are up to ``mostConfirmations``.
    private static var confirmations: Int { 4 }
    private static var mostConfirmations: Int { 12 }
    /// The plays of which at least two show a failure of this rate, in 19 of 20 cases.
    private static func plays(rate: Double) -> Int {
        // The Poisson distribution with this mean is below 2 in 5 % of cases.
        max(confirmations + 1, Int((4.75 / rate).rounded(.up)))
    }
    /// The most plays with the faults that are compared with as many without.
    private static var mostComparisons: Int { 64 }
    /// The probability below which chance does not explain that a failure comes more often with the faults.
    ///
    /// It is smaller for a failure that comes back only sometimes, because that is compared several times.
    private static func chance(isCertain: Bool) -> Double { isCertain ? 0.02 : 0.002 }
    /// More trials at once seldom save time.
    private static var mostTrials: Int { 8 }

    struct Outcome: Sendable {
        var failure: HuntFailure
        /// The faults that were played last.
        var candidate: Candidate
        /// Nil if the failure does not come back, or comes back without any fault.
        var bug: HuntedBug?
        /// In how many of the ``confirmations`` plays it came back.
        var cameBack = 0
        var confirmations = 0
        /// How many attempts were made in all.
        var plays: Int
    }

    /// The result of the investigation.
    ///
    /// Throws what the stage throws, and `CancellationError` if it is not yet known whether the failure comes back.
    func outcome() async throws -> Outcome {
        var outcome = Outcome(failure: failure, candidate: candidate, bug: nil, plays: 0)
        while outcome.plays < Self.mostConfirmations,
            outcome.plays != Self.confirmations || outcome.cameBack < outcome.plays
        {
            progress.set("\(outcome.plays) of \(Self.mostConfirmations) attempts to confirm")
            let cells = try await stage.playUndisturbed(candidate, times: Self.confirmations)
            if cells.isEmpty { break }
            outcome.plays += cells.count
            outcome.cameBack += cells.count { HuntFailure(of: $0) == failure }
        }
        outcome.confirmations = outcome.plays
        guard outcome.cameBack >= 2 else { return outcome }
        progress.set("attempts without faults")
        guard try await needsFaults(&outcome) else {
            outcome.candidate = Candidate([])
            return outcome
        }
        let cameBack = outcome.cameBack
        let trial = FailureTrial(
            stage: stage, failure: failure, rate: Double(cameBack) / Double(outcome.confirmations),
            width: min(width, Self.mostTrials), progress: progress, isOverdue: isOverdue)
        var bug = HuntedBug(
            failure: failure, candidate: candidate, cameBack: cameBack, plays: outcome.confirmations, foundAt: foundAt,
            foundWith: candidate.faults.count, shrinkingPlays: 0, isReduced: false)
        do {
            outcome.candidate = try await trial.smallest(candidate)
            bug.shrinkingPlays = trial.plays
            bug.isReduced = !trial.isCutShort
            outcome.plays += trial.plays
            if outcome.candidate != candidate {
                let rate = Double(cameBack) / Double(bug.plays)
                let cells = try await stage.playUndisturbed(outcome.candidate, times: Self.plays(rate: rate))
                outcome.plays += cells.count
                let failed = cells.count { HuntFailure(of: $0) == failure }
                // The reduced faults count only if the failure comes back with them again.
                if failed >= 2 {
                    bug.candidate = outcome.candidate
                    (bug.cameBack, bug.plays) = (failed, cells.count)
                } else {
                    bug.isReduced = false
                }
            }
        } catch is CancellationError {
            // The failure is confirmed, although its faults may not be the fewest.
        }
        outcome.bug = bug
        return outcome
    }

    /// Whether the failure comes more often with the faults than without any.
    ///
    /// A client that fails by itself now and then must not be blamed on a fault. Adds the plays with the faults to the
    /// confirmations.
    private func needsFaults(_ outcome: inout Outcome) async throws -> Bool {
        var (without, plays) = (0, 0)
        while true {
            let cells = try await stage.playUndisturbed(Candidate([]), times: outcome.confirmations - plays)
            plays += cells.count
            outcome.plays += cells.count
            without += cells.count { HuntFailure(of: $0) == failure }
            let isMore = FisherTest.probability(outcome.cameBack, of: outcome.confirmations, and: without, of: plays)
            let isCertain = outcome.cameBack == outcome.confirmations
            // Attempts that the machine disturbs show nothing.
            if isMore < Self.chance(isCertain: isCertain) || cells.isEmpty { return true }
            if without >= outcome.cameBack || outcome.confirmations >= Self.mostComparisons { return false }
            let more = try await stage.playUndisturbed(candidate, times: Self.confirmations * 2)
            if more.isEmpty { return true }
            outcome.confirmations += more.count
            outcome.plays += more.count
            outcome.cameBack += more.count { HuntFailure(of: $0) == failure }
        }
    }
}

/// How far an investigation has come.
final class InvestigationProgress: Sendable {
    private let current = Mutex("")

    /// The current step, such as `8 of 12 attempts to confirm`.
    var text: String { current.withLock { $0 } }

    func set(_ text: String) { current.withLock { $0 = text } }
}
