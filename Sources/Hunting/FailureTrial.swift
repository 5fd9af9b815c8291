import Results
import Synchronization

/// Plays parts of a failure's faults, and says whether they still show it as often.
final class FailureTrial<Stage: HuntStage>: Sendable {
    private let stage: Stage
    private let failure: HuntFailure
    private let rate: Double
    private let counted = Mutex(0)
    /// After so many plays nothing is taken away any more: what is left then may not be the least.
    private static var mostPlays: Int { 600 }

    init(stage: Stage, failure: HuntFailure, rate: Double) {
        (self.stage, self.failure, self.rate) = (stage, failure, rate)
    }

    /// How many attempts it took so far.
    var plays: Int { counted.withLock { $0 } }

    /// The fewest and simplest faults that show the failure as often: without any one of them it comes back less often.
    func smallest(_ candidate: Candidate) async throws -> Candidate {
        let fewest = Candidate(try await shrinking.minimum(of: candidate.faults))
        let simplest = try await simplest(fewest)
        // What is simpler may need fewer.
        return simplest == fewest ? fewest : Candidate(try await shrinking.minimum(of: simplest.faults))
    }

    private var shrinking: Shrinking<HuntFault> {
        Shrinking { [self] faults in try await holds(Candidate(faults)) }
    }

    private func simplest(_ candidate: Candidate) async throws -> Candidate {
        var candidate = candidate
        var index = 0
        while index < candidate.faults.count {
            var isSimpler = false
            for simpler in candidate.faults[index].simpler {
                var faults = candidate.faults
                faults[index] = simpler
                let other = Candidate(faults)
                guard other.faults.count == faults.count, other != candidate, try await holds(other) else { continue }
                candidate = other
                isSimpler = true
                break
            }
            if !isSimpler { index += 1 }
        }
        return candidate
    }

    private func holds(_ candidate: Candidate) async throws -> Bool {
        guard candidate.isFair(knowsDigest: stage.knowsDigest), plays < Self.mostPlays else { return false }
        return try await SequentialTest.holds(rate: rate) { count in
            let cells = try await stage.playUndisturbed(candidate, times: count)
            counted.withLock { $0 += cells.count }
            return (cells.count { HuntFailure(of: $0) == failure }, cells.count)
        }
    }
}
