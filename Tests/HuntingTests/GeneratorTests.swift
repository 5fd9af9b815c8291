import Results
import Testing

@testable import Hunting

/// The order of candidates, and the limits of reductions.
@Suite struct GeneratorTests {
    @Test("reducing a rare failure ends soon after its time, although no test has decided")
    func keepsItsTime() async throws {
        let faults = [HuntFault(.gzip, of: SimulatedClient.pack), HuntFault(.chunked, of: SimulatedClient.pack)]
        let plays = SimulatedClient.Counter()
        let client = SimulatedClient { candidate, _ in
            guard !candidate.faults.isEmpty else { return .holds }
            return plays.next().isMultiple(of: 6) && candidate.faults.count == 2 ? .fails(.crashes) : .holds
        }
        let failure = try #require(HuntFailure(of: try await client.play(Candidate(faults))))
        let trial = FailureTrial(
            stage: client, failure: failure, rate: 1 / 6, width: 1, progress: InvestigationProgress(),
            isOverdue: { plays.count > 3 })
        #expect(try await trial.smallest(Candidate(faults)) == Candidate(faults))
        #expect(trial.isCutShort && plays.count <= 10)
    }
}
