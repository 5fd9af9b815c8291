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
    /// The kinds of faults that the hunt tries.
    let kinds: Set<HuntFault.Kind>
    let progress: InvestigationProgress
    /// Whether its time has passed, so that no more attempts begin.
    let isOverdue: @Sendable () -> Bool

    /// The number of plays that must all fail to confirm a failure; otherwise there are up to ``mostConfirmations``.
    private static var confirmations: Int { 4 }
    private static var mostConfirmations: Int { 12 }
    /// The plays of which at least two show a failure of this rate, in 19 of 20 cases.
    private static func plays(rate: Double) -> Int {
        // The Poisson distribution with this mean is below 2 in 5 % of cases.
        max(confirmations + 1, Int((4.75 / rate).rounded(.up)))
    }
    /// After this many plays with the faults there is no further comparison.
    private static var mostComparisons: Int { 64 }
    /// More trials at once seldom save time.
    private static var mostTrials: Int { 8 }

    struct Outcome: Sendable {
        /// How often the failure came back, with the faults and without any.
        var shown: UnconfirmedFailure
        /// Nil unless the failure comes back, and was seen to come more often than without any fault.
        var bug: HuntedBug?
        /// How many attempts it took to reduce the faults.
        var playsToReduce = 0

        /// How many attempts were made in all.
        var plays: Int { shown.plays + shown.playsWithout + playsToReduce }
    }

    /// The result of the investigation.
    ///
    /// Throws what the stage throws, and `CancellationError` if it is not yet known whether the failure comes back.
    func outcome() async throws -> Outcome {
        var shown = UnconfirmedFailure(failure: failure, candidate: candidate)
        while shown.plays < Self.mostConfirmations,
            shown.plays != Self.confirmations || shown.cameBack < shown.plays
        {
            progress.set("\(shown.plays) of \(Self.mostConfirmations) attempts to confirm")
            guard try await play(Self.confirmations, &shown) else { break }
        }
        guard shown.cameBack >= 2, try await needsFaults(&shown) else { return Outcome(shown: shown) }
        var bug = HuntedBug(
            failure: failure, candidate: candidate, cameBack: shown.cameBack, plays: shown.plays, foundAt: foundAt,
            foundWith: candidate.faults.count, shrinkingPlays: 0, isReduced: false,
            cameBackWithout: shown.cameBackWithout, playsWithout: shown.playsWithout,
            namesPacks: stage.packs.count > 1)
        let playsToReduce = try await reduce(&bug)
        return Outcome(shown: shown, bug: bug, playsToReduce: playsToReduce)
    }

    /// Plays the faults; returns false if there is no time, or if no play counts.
    private func play(_ times: Int, _ shown: inout UnconfirmedFailure) async throws -> Bool {
        guard !isOverdue() else { return false }
        let more = try await stage.returns(of: failure, with: candidate, times: times)
        shown.cameBack += more.cameBack
        shown.plays += more.plays
        return more.plays > 0
    }

    /// Plays without faults, until that is as often as with them; returns false if there is no time, or if no play
    /// counts.
    private func playWithout(_ shown: inout UnconfirmedFailure) async throws -> Bool {
        guard !isOverdue() else { return false }
        let times = shown.plays - shown.playsWithout
        let more = try await stage.returns(of: failure, with: Candidate([]), times: times)
        shown.cameBackWithout += more.cameBack
        shown.playsWithout += more.plays
        return more.plays > 0
    }

    /// Whether the failure is seen to come more often with the faults than without any.
    ///
    /// A client that fails by itself now and then must not be blamed on a fault, nor one that could not be compared.
    private func needsFaults(_ shown: inout UnconfirmedFailure) async throws -> Bool {
        progress.set("attempts without faults")
        while try await playWithout(&shown) {
            if Self.isMoreOften(shown) { return true }
            guard shown.cameBackWithout < shown.cameBack, shown.plays < Self.mostComparisons,
                try await play(Self.confirmations * 2, &shown)
            else { break }
        }
        return false
    }

    /// Whether chance hardly explains that the failure comes more often with the faults.
    ///
    /// The probability must be below 0.002 for a failure that comes back only sometimes, because that is compared up
    /// to eight times. The last comparison accepts 0.02 if the failure never came without faults: then 6 of 68 plays
    /// are enough instead of 9. An investigation blames a client that fails by itself, however often, with a
    /// probability of at most 0.9 %; the last comparison adds at most 0.12 % to it. If each comparison accepted 0.02,
    /// it would add 0.6 %, and show hardly a bug more. A hunt investigates such a failure ten times at most.
    private static func isMoreOften(_ shown: UnconfirmedFailure) -> Bool {
        let isCertain = shown.cameBack == shown.plays
        let isLast = shown.plays >= mostComparisons && shown.cameBackWithout == 0
        let probability = FisherTest.probability(
            shown.cameBack, of: shown.plays, and: shown.cameBackWithout, of: shown.playsWithout)
        return probability < (isCertain || isLast ? 0.02 : 0.002)
    }

    /// Reduces the faults of a confirmed failure, as far as there is time; returns how many attempts that took.
    private func reduce(_ bug: inout HuntedBug) async throws -> Int {
        let rate = Double(bug.cameBack) / Double(bug.plays)
        let trial = FailureTrial(
            stage: stage, failure: failure, rate: rate, kinds: kinds, width: min(width, Self.mostTrials),
            progress: progress, isOverdue: isOverdue)
        defer { bug.shrinkingPlays = trial.plays }
        do {
            let smallest = try await trial.smallest(candidate)
            if smallest == candidate {
                bug.isReduced = !trial.isCutShort
                return trial.plays
            }
            if !isOverdue() {
                let last = try await stage.returns(of: failure, with: smallest, times: Self.plays(rate: rate))
                // The reduced faults count only if the failure comes back with them again.
                if last.cameBack >= 2 {
                    (bug.candidate, bug.cameBack, bug.plays) = (smallest, last.cameBack, last.plays)
                    bug.isReduced = !trial.isCutShort
                }
                return trial.plays + last.plays
            }
        } catch is CancellationError {
            // The failure is confirmed, although its faults may not be the fewest.
        }
        // There were no last plays, so those of the trial say how often the failure came back.
        if let reached = trial.reached { (bug.candidate, bug.cameBack, bug.plays) = reached }
        return trial.plays
    }
}

/// How far an investigation has come.
final class InvestigationProgress: Sendable {
    private let current = Mutex("")

    /// The current step, such as `8 of 12 attempts to confirm`.
    var text: String { current.withLock { $0 } }

    func set(_ text: String) { current.withLock { $0 = text } }
}
