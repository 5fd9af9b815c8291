/// Plays a failure until it is known how often it comes back, and makes its faults fewer and simpler.
struct Investigation<Stage: HuntStage>: Sendable {
    let stage: Stage
    let failure: HuntFailure
    let candidate: Candidate
    /// The number of the attempt that failed.
    let foundAt: Int
    /// How many trials of smaller lists go on at once.
    let width: Int

    /// So many plays that all fail are enough to begin with.
    private static var confirmations: Int { 4 }
    private static var mostConfirmations: Int { 12 }
    /// More trials at once seldom find anything sooner.
    private static var mostTrials: Int { 8 }

    struct Outcome: Sendable {
        var failure: HuntFailure
        /// What was played last.
        var candidate: Candidate
        /// Nil where the failure does not come back, or comes back without any fault.
        var bug: HuntedBug?
        /// How many attempts it took.
        var plays: Int
    }

    /// Throws what the stage throws, and `CancellationError` where it is not yet known whether the failure comes back.
    func outcome() async throws -> Outcome {
        var outcome = Outcome(failure: failure, candidate: candidate, bug: nil, plays: 0)
        var cameBack = 0
        while outcome.plays < Self.mostConfirmations,
            outcome.plays != Self.confirmations || cameBack < outcome.plays
        {
            let cells = try await stage.playUndisturbed(candidate, times: Self.confirmations)
            if cells.isEmpty { break }
            outcome.plays += cells.count
            cameBack += cells.count { HuntFailure(of: $0) == failure }
        }
        guard cameBack >= 2 else { return outcome }
        var bug = HuntedBug(
            failure: failure, candidate: candidate, cameBack: cameBack, plays: outcome.plays, foundAt: foundAt,
            foundWith: candidate.faults.count, shrinkingPlays: 0)
        let trial = FailureTrial(
            stage: stage, failure: failure, rate: Double(cameBack) / Double(bug.plays),
            width: min(width, Self.mostTrials))
        do {
            outcome.candidate = try await trial.smallest(candidate)
            bug.shrinkingPlays = trial.plays
            outcome.plays += trial.plays
            guard !outcome.candidate.faults.isEmpty else { return outcome }
            if outcome.candidate != candidate {
                let cells = try await stage.playUndisturbed(outcome.candidate, times: Self.confirmations + 1)
                outcome.plays += cells.count
                let failed = cells.count { HuntFailure(of: $0) == failure }
                // What does not come back when it is looked at again was not made smaller.
                if failed >= 2 {
                    bug.candidate = outcome.candidate
                    (bug.cameBack, bug.plays) = (failed, cells.count)
                }
            }
        } catch is CancellationError {
            // It is known, although its faults may not be the fewest.
        }
        outcome.bug = bug
        return outcome
    }
}
