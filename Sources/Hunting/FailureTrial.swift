import Results
import Synchronization

/// Plays subsets of a failure's faults, and decides whether the failure still comes back as often.
final class FailureTrial<Stage: HuntStage>: Sendable {
    private let stage: Stage
    private let failure: HuntFailure
    private let rate: Double
    private let width: Int
    private let progress: InvestigationProgress
    private let isOverdue: @Sendable () -> Bool
    private let tally = Mutex(Tally())
    /// The most plays; after them the list is not reduced further.
    private static var mostPlays: Int { 600 }

    /// `width` is how many lists are tried at once; once `isOverdue` is true, none is played any more.
    init(
        stage: Stage, failure: HuntFailure, rate: Double, width: Int, progress: InvestigationProgress,
        isOverdue: @escaping @Sendable () -> Bool
    ) {
        (self.stage, self.failure, self.rate, self.width) = (stage, failure, rate, width)
        (self.progress, self.isOverdue) = (progress, isOverdue)
    }

    private struct Tally {
        var plays = 0
        var isCutShort = false
    }

    /// Whether a list was skipped because the time or the plays ran out, so that fewer faults may suffice.
    var isCutShort: Bool { tally.withLock { $0.isCutShort } }

    /// How many attempts were made so far.
    var plays: Int { tally.withLock { $0.plays } }

    /// The fewest and simplest faults that show the failure as often; without any one of them it comes back less often.
    func smallest(_ candidate: Candidate) async throws -> Candidate {
        let fewest = Candidate(try await shrinking.minimum(of: candidate.faults))
        let simplest = try await simplest(earliest(fewest))
        // Simpler faults may suffice in a smaller number.
        return simplest == fewest ? fewest : Candidate(try await shrinking.minimum(of: simplest.faults))
    }

    private var shrinking: Shrinking<HuntFault> {
        Shrinking(width: width) { [self] faults in try await holds(Candidate(faults)) }
    }

    /// The candidate without faults that only cost a request before the others.
    private func earliest(_ candidate: Candidate) async throws -> Candidate {
        var candidate = candidate
        while true {
            let others = candidate.earlier
            guard let first = try await others.firstIndex(width: width, where: { try await self.holds($0) }) else {
                return candidate
            }
            candidate = others[first]
        }
    }

    private func simplest(_ candidate: Candidate) async throws -> Candidate {
        var candidate = candidate
        var index = 0
        while index < candidate.faults.count {
            let others = candidate.faults[index].simpler.map { simpler in
                var faults = candidate.faults
                faults[index] = simpler
                return Candidate(faults)
            }.filter { [candidate] in $0.faults.count == candidate.faults.count && $0 != candidate }
            if let first = try await others.firstIndex(width: width, where: { try await self.holds($0) }) {
                candidate = others[first]
            } else {
                index += 1
            }
        }
        return candidate
    }

    private func holds(_ candidate: Candidate) async throws -> Bool {
        // That it needs faults is known.
        guard !candidate.faults.isEmpty, candidate.isFair(knowsDigest: stage.knowsDigest) else { return false }
        let count = candidate.faults.count
        let tried = count == 1 ? "with 1 fault" : "with \(count) faults"
        progress.set("\(plays) attempts to reduce the faults; the next is \(tried)")
        return try await SequentialTest.holds(rate: rate) { count in
            if plays >= Self.mostPlays || isOverdue() {
                tally.withLock { $0.isCutShort = true }
                return (0, 0)
            }
            let cells = try await stage.playUndisturbed(candidate, times: count)
            tally.withLock { $0.plays += cells.count }
            return (cells.count { HuntFailure(of: $0) == failure }, cells.count)
        }
    }
}
