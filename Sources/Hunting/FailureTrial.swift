import Results
import Synchronization

/// Plays subsets of a failure's faults, and decides whether the failure still comes back as often.
final class FailureTrial<Stage: HuntStage>: Sendable {
    private let stage: Stage
    private let failure: HuntFailure
    private let rate: Double
    private let kinds: Set<HuntFault.Kind>
    private let width: Int
    private let progress: InvestigationProgress
    private let isOverdue: @Sendable () -> Bool
    private let tally = Mutex(Tally())
    /// The most plays; after them the list is not reduced further.
    private static var mostPlays: Int { 600 }

    /// Makes a trial whose faults may become those of `kinds`.
    ///
    /// It tries `width` lists at once, and plays each of them as often at once. Once `isOverdue` is true, no further
    /// attempt begins.
    init(
        stage: Stage, failure: HuntFailure, rate: Double, kinds: Set<HuntFault.Kind>, width: Int,
        progress: InvestigationProgress, isOverdue: @escaping @Sendable () -> Bool
    ) {
        (self.stage, self.failure, self.rate, self.kinds, self.width) = (stage, failure, rate, kinds, width)
        (self.progress, self.isOverdue) = (progress, isOverdue)
    }

    /// Faults with which the failure still comes back, and in how many of the plays that showed this.
    typealias Step = (candidate: Candidate, count: PlayCount)

    private struct Tally {
        var plays = 0
        var isCutShort = false
        var reached: Step?
    }

    /// Whether a list was skipped because the time or the plays ran out, so that fewer faults may suffice.
    var isCutShort: Bool { tally.withLock { $0.isCutShort } }

    /// How many attempts were made so far.
    var plays: Int { tally.withLock { $0.plays } }

    /// The fewest faults that were tried so far with success; nil if there were none.
    var reached: Step? { tally.withLock { $0.reached } }

    /// The fewest and simplest faults that show the failure as often, as ``SequentialTest`` decides; without any one of
    /// them it comes back less often.
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
            let others = candidate.faults[index].simpler.filter { kinds.contains($0.kind) }.map { simpler in
                var faults = candidate.faults
                faults[index] = simpler
                return Candidate(faults)
            }.filter { [candidate] in $0.faults.count == candidate.faults.count && $0 != candidate }
            if let first = try await others.firstIndex(width: width, where: { try await self.holds($0) }) {
                // If other faults have changed places, some were not tried. Otherwise all before this one were.
                let (before, after) = (candidate.faults, others[first].faults)
                let isReordered = after.indices.contains { $0 != index && after[$0] != before[$0] }
                (candidate, index) = (others[first], isReordered ? 0 : index)
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
        var all = PlayCount()
        let holds = try await SequentialTest.holds(rate: rate) { times in
            if plays >= Self.mostPlays || isOverdue() {
                tally.withLock { $0.isCutShort = true }
                return (0, 0)
            }
            var more = PlayCount()
            // If it is cancelled, the plays that have ended still count.
            defer { tally.withLock { [more] in $0.plays += more.plays } }
            try await stage.play(
                candidate, times: times, atOnce: width, seeking: failure, into: &more, until: isOverdue)
            // Without any play the list is undecided.
            if more.plays == 0, isOverdue() { tally.withLock { $0.isCutShort = true } }
            all.cameBack += more.cameBack
            all.plays += more.plays
            return (more.cameBack, more.plays)
        }
        if holds { keep((candidate, all)) }
        return holds
    }

    private func keep(_ step: Step) {
        tally.withLock { tally in
            if let reached = tally.reached, reached.candidate.faults.count < step.candidate.faults.count { return }
            tally.reached = step
        }
    }
}
