import Hunting
import Results
import Testing

/// What hunts of simulated clients say at their limits, and what they say they tried.
@Suite struct HuntLimitTests {
    private static let needed = HuntFault(.gzip, of: SimulatedClient.pack)
    /// Three faults, of which a client needs one.
    private static let three = Candidate([
        needed, HuntFault(.lateHead, of: SimulatedClient.pack, request: 2),
        HuntFault(.stall, of: SimulatedClient.pack, request: 2, offset: 7),
    ])

    /// A client that fails in every sixth play with the fault, the first one included.
    private static func rare() -> SimulatedClient {
        let plays = SimulatedClient.Counter()
        return SimulatedClient { candidate, _ in
            candidate.has(.gzip) && plays.next().isMultiple(of: 6) ? .fails(.crashes) : .holds
        }
    }

    @Test("a rare failure is reported with the fewest faults, or as not reduced")
    func reducesRareFailures() async throws {
        var hunt = Hunt.short(Self.rare())
        hunt.untilFound = 1
        let bug = try #require(try await hunt.perform(kept: [Self.three]).bugs.first)
        #expect(bug.foundWith == 3 && bug.isReduced && bug.candidate.faults == [Self.needed])
    }
}
