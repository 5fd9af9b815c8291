import Synchronization

/// Plays a failure until it is known how often it comes back, then reduces its faults to fewer and simpler ones.
struct Investigation<Stage: HuntStage>: Sendable {
    let stage: Stage
    let failure: HuntFailure
    let candidate: Candidate
    /// The number of the attempt that failed.
    let foundAt: Int
    /// How many attempts the hunt makes at once.
    let width: Int
    /// The kinds of faults that the hunt tries.
    let kinds: Set<HuntFault.Kind>
    let progress: InvestigationProgress
    /// Whether its time has passed, so that no more attempts begin, except those of the first comparison.
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
    /// More trials at once seldom save time, and those that wait would begin after the time has passed.
    private static var mostTrials: Int { 8 }
    /// How many plays are made at once, and how many reduced lists are tried at once.
    private var trials: Int { min(width, Self.mostTrials) }

    struct Outcome: Sendable {
        /// How often the failure came back, with the faults and without any.
        var shown: UnconfirmedFailure
        /// Nil unless the failure comes back, and was seen to come more often than without any fault.
        var bug: HuntedBug?
        /// How many attempts it took to reduce the faults.
        var playsToReduce = 0

        /// How many attempts were made in all.
        var plays: Int { shown.withFaults.plays + shown.withoutFaults.plays + playsToReduce }
    }

    /// The result of the investigation; if the task is cancelled, what was seen by then.
    ///
    /// Throws what the stage throws, except `CancellationError`.
    func outcome() async throws -> Outcome {
        var shown = UnconfirmedFailure(failure: failure, candidate: candidate)
        do {
            guard try await comesBack(&shown), try await needsFaults(&shown) else { return Outcome(shown: shown) }
        } catch is CancellationError {
            return Outcome(shown: shown)
        }
        var bug = HuntedBug(
            failure: failure, candidate: candidate, withFaults: shown.withFaults, foundAt: foundAt,
            foundWith: candidate.faults.count, shrinkingPlays: 0, isReduced: false, withoutFaults: shown.withoutFaults,
            namesPacks: stage.packs.count > 1)
        let playsToReduce = try await reduce(&bug)
        return Outcome(shown: shown, bug: bug, playsToReduce: playsToReduce)
    }

    /// Whether the failure comes back at least twice.
    private func comesBack(_ shown: inout UnconfirmedFailure) async throws -> Bool {
        while shown.withFaults.plays < Self.mostConfirmations,
            shown.withFaults.plays != Self.confirmations || shown.withFaults.cameBack < shown.withFaults.plays
        {
            progress.set("\(shown.withFaults.plays) of \(Self.mostConfirmations) attempts to confirm")
            guard try await play(candidate, Self.confirmations, &shown.withFaults) else { break }
        }
        return shown.withFaults.cameBack >= 2
    }

    /// Plays faults, and adds to the count; returns false if there is no time, or if no play counts.
    ///
    /// If it is cancelled, the plays that have ended still count.
    private func play(
        _ candidate: Candidate, _ times: Int, _ count: inout PlayCount, evenIfOverdue: Bool = false
    ) async throws -> Bool {
        let before = count.plays
        try await stage.play(
            candidate, times: times, atOnce: trials, seeking: failure, into: &count,
            until: { !evenIfOverdue && isOverdue() })
        return count.plays > before
    }

    /// Plays without faults, until that is as often as with them; returns false if there is no time, or if no play
    /// counts.
    ///
    /// The first comparison is short. It is made although the time has passed: without it a failure that always comes
    /// back would not be confirmed.
    private func playWithout(_ shown: inout UnconfirmedFailure) async throws -> Bool {
        try await play(
            Candidate([]), shown.withFaults.plays - shown.withoutFaults.plays, &shown.withoutFaults,
            evenIfOverdue: shown.withoutFaults.plays == 0)
    }

    /// Whether the failure is seen to come more often with the faults than without any.
    ///
    /// A client that fails by itself now and then must not be blamed on a fault, nor one that could not be compared.
    private func needsFaults(_ shown: inout UnconfirmedFailure) async throws -> Bool {
        progress.set("attempts without faults")
        while try await playWithout(&shown) {
            if Self.isMoreOften(shown) { return true }
            guard shown.withoutFaults.cameBack < shown.withFaults.cameBack,
                shown.withFaults.plays < Self.mostComparisons,
                try await play(candidate, Self.confirmations * 2, &shown.withFaults)
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
        let isCertain = shown.withFaults.cameBack == shown.withFaults.plays
        let isLast = shown.withFaults.plays >= mostComparisons && shown.withoutFaults.cameBack == 0
        let probability = FisherTest.probability(shown.withFaults, without: shown.withoutFaults)
        return probability < (isCertain || isLast ? 0.02 : 0.002)
    }

    /// Reduces the faults of a confirmed failure, as far as there is time; returns how many attempts that took.
    private func reduce(_ bug: inout HuntedBug) async throws -> Int {
        let rate = bug.withFaults.rate
        let trial = FailureTrial(
            stage: stage, failure: failure, rate: rate, kinds: kinds, width: trials, progress: progress,
            isOverdue: isOverdue)
        let times = Self.plays(rate: rate)
        var last = PlayCount()
        defer { bug.shrinkingPlays = trial.plays }
        do {
            let smallest = try await trial.smallest(candidate)
            if smallest == candidate {
                bug.isReduced = !trial.isCutShort
                return trial.plays
            }
            try await stage.play(
                smallest, times: times, atOnce: trials, seeking: failure, into: &last, until: isOverdue)
            // The reduced faults count only if the failure comes back with them again.
            if last.cameBack >= 2, Self.stillNeedsFaults(bug, last) {
                (bug.candidate, bug.withFaults) = (smallest, last)
                bug.isReduced = !trial.isCutShort
                return trial.plays + last.plays
            }
            if last.plays == times || !isOverdue() { return trial.plays + last.plays }
        } catch is CancellationError {
            // The failure is confirmed, although its faults may not be the fewest.
        }
        // The last plays are too few, so those of the trial say how often the failure came back.
        if let reached = trial.reached, Self.stillNeedsFaults(bug, reached.count) {
            (bug.candidate, bug.withFaults) = reached
        }
        return trial.plays + last.plays
    }

    /// Whether the failure, which came back so often with reduced faults, comes clearly more often than without any.
    ///
    /// If it never came without faults, it needs some.
    private static func stillNeedsFaults(_ bug: HuntedBug, _ count: PlayCount) -> Bool {
        bug.withoutFaults.cameBack == 0 || FisherTest.probability(count, without: bug.withoutFaults) < 0.02
    }
}

/// How far an investigation has come.
final class InvestigationProgress: Sendable {
    private let current = Mutex("")

    /// The current step, such as `8 of 12 attempts to confirm`.
    var text: String { current.withLock { $0 } }

    func set(_ text: String) { current.withLock { $0 = text } }
}
