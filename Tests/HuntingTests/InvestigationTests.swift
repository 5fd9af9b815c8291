import Results
import Testing

@testable import Hunting

/// How a failure is confirmed, compared with attempts without faults, and reduced.
@Suite struct InvestigationTests {
    private static let gzip = HuntFault(.gzip, of: SimulatedClient.pack)
    private static let both = Candidate([HuntFault(.chunked, of: SimulatedClient.pack), gzip])

    /// A client that crashes whenever one of them happens.
    private static func failing() -> SimulatedClient {
        SimulatedClient { candidate, _ in candidate.has(.gzip) ? .fails(.crashes) : .holds }
    }

    /// A crash.
    private static func failure() async throws -> HuntFailure {
        let crashing = SimulatedClient { _, _ in .fails(.crashes) }
        return try #require(HuntFailure(of: try await crashing.play(both)))
    }

    /// Investigates a crash, with both faults if no others are given.
    private static func outcome<Stage: HuntStage>(
        of stage: Stage, with candidate: Candidate = Self.both, isOverdue: @escaping @Sendable () -> Bool = { false }
    ) async throws -> Investigation<Stage>.Outcome {
        let investigation = Investigation(
            stage: stage, failure: try await failure(), candidate: candidate, foundAt: 1, width: 1,
            kinds: Set(HuntFault.Kind.allCases), progress: InvestigationProgress(), isOverdue: isOverdue)
        return try await investigation.outcome()
    }

    @Test(
        "when the time is over, only the first comparison begins, and the failure is reduced as far as it was",
        arguments: [
            // Four plays confirm it, and four are without faults. Five show that one fault is enough, and five more
            // how often it comes back.
            (0, 0, 0, nil), (1, 1, 0, nil), (3, 6, 3, nil), (4, 8, 4, [.chunked, .gzip]),
            (5, 8, 4, [.chunked, .gzip]), (9, 9, 4, [.chunked, .gzip]), (13, 13, 4, [.gzip]), (14, 14, 4, [.gzip]),
            (15, 15, 4, [.gzip]), (18, 18, 4, [.gzip]),
        ] as [(Int, Int, Int, [HuntFault.Kind]?)])
    func keepsItsTime(_ most: Int, _ plays: Int, _ without: Int, _ kinds: [HuntFault.Kind]?) async throws {
        let client = Self.failing()
        let outcome = try await Self.outcome(of: client, isOverdue: { client.plays.count >= most })
        #expect(client.plays.count == plays && outcome.plays == plays)
        #expect(outcome.shown.candidate == Self.both && outcome.shown.withoutFaults.plays == without)
        #expect(outcome.bug?.candidate.faults.map(\.kind) == kinds)
        #expect(outcome.bug?.isReduced ?? false == (most >= 15))
        #expect(
            outcome.bug.map { $0.withFaults.cameBack == $0.withFaults.plays && $0.withoutFaults.plays == 4 } ?? true)
    }

    @Test("plays begin only until the time is over, at most so many at once", arguments: [1, 4])
    func endsBetweenPlays(_ width: Int) async throws {
        let client = Self.failing()
        var count = PlayCount()
        try await client.play(
            Self.both, times: 54, atOnce: width, seeking: try await Self.failure(), into: &count,
            until: { client.plays.count >= 10 })
        // Those that have begun still end.
        #expect((10..<10 + width).contains(client.plays.count))
        #expect(count.plays == client.plays.count && count.cameBack == count.plays)
    }

    @Test("a disturbed play is not repeated when the time is over")
    func repeatsNoPlayLate() async throws {
        let client = SimulatedClient { _, _ in .spoilt() }
        var count = PlayCount()
        try await client.play(
            Self.both, times: 4, atOnce: 1, seeking: try await Self.failure(), into: &count,
            until: { client.plays.count >= 1 })
        #expect(client.plays.count == 1 && count.plays == 0)
    }

    @Test("if the time is over before a play of a list counts, fewer faults may do")
    func leavesListsUndecided() async throws {
        let first = Candidate(Self.both.faults.prefix(1))
        let client = SimulatedClient { candidate, _ in
            if candidate == first { return .spoilt() }
            return candidate == Self.both ? .fails(.crashes) : .holds
        }
        // Four plays are with both faults, four without any, two with the second one, and one is with the first one.
        let outcome = try await Self.outcome(of: client, isOverdue: { client.plays.count >= 11 })
        #expect(client.plays.count == 11 && outcome.bug?.isReduced == false)
    }

    @Test(
        "if a failure also comes without faults, its reduced faults must make it come clearly more often",
        arguments: [
            // The plays in which it comes without faults, in how many it comes with one fault, and the plays after
            // which the time is over. 24 plays confirm it, or 8 if it never comes without faults, and 5 reduce it.
            ([], 7, 1000, [.gzip]), ([0], 7, 1000, [.chunked, .gzip]), ([0], 10, 1000, [.gzip]),
            ([0], 10, 29, [.gzip]), ([0, 1, 4, 5, 6], 10, 29, [.chunked, .gzip]),
        ] as [([Int], Int, Int, [HuntFault.Kind])])
    func comparesReducedFaults(_ without: [Int], _ alone: Int, _ most: Int, _ kinds: [HuntFault.Kind]) async throws {
        let (quiet, reduced) = (SimulatedClient.Counter(), SimulatedClient.Counter())
        let client = SimulatedClient { candidate, _ in
            let fails =
                switch candidate.faults.count {
                case 0: without.contains(quiet.next())
                case 1: candidate.has(.gzip) && reduced.next() < alone
                default: true
                }
            return fails ? .fails(.crashes) : .holds
        }
        let outcome = try await Self.outcome(of: client, isOverdue: { client.plays.count >= most })
        let bug = try #require(outcome.bug)
        #expect(bug.candidate.faults.map(\.kind) == kinds && bug.withoutFaults.cameBack == without.count)
        #expect(bug.isReduced == (kinds == [.gzip] && most == 1000))
    }

    /// A client whose hunt is interrupted after so many plays.
    private struct InterruptedClient: HuntStage {
        let client: SimulatedClient
        let most: Int
        var packs: [HuntPack] { client.packs }
        var knowsDigest: Bool { true }
        var metNeeds: Set<HuntFault.Need> { client.metNeeds }
        var waiting: Int { 0 }

        func play(_ candidate: Candidate) async throws -> CellResult {
            if client.plays.count >= most { throw CancellationError() }
            return try await client.play(candidate)
        }
    }

    @Test(
        "an interrupted reduction keeps what it has reached, and its plays count",
        arguments: [
            (10, [.chunked, .gzip], 2, 4), (11, [.chunked, .gzip], 3, 4), (13, [.gzip], 5, 5), (15, [.gzip], 5, 5),
        ] as [(Int, [HuntFault.Kind], Int, Int)])
    func keepsWhatItReached(_ most: Int, _ kinds: [HuntFault.Kind], _ shrinking: Int, _ plays: Int) async throws {
        let outcome = try await Self.outcome(of: InterruptedClient(client: Self.failing(), most: most))
        let bug = try #require(outcome.bug)
        #expect(bug.candidate.faults.map(\.kind) == kinds && !bug.isReduced)
        #expect(bug.shrinkingPlays == shrinking && outcome.plays == most)
        #expect(bug.withFaults.cameBack == plays && bug.withFaults.plays == plays)
    }

    @Test(
        "an interrupted confirmation keeps the plays that have ended",
        arguments: [(0, 0, 0), (3, 3, 0), (4, 4, 0), (6, 4, 2)])
    func keepsWhatItSaw(_ most: Int, _ plays: Int, _ without: Int) async throws {
        let outcome = try await Self.outcome(of: InterruptedClient(client: Self.failing(), most: most))
        #expect(outcome.bug == nil && outcome.plays == most)
        #expect(outcome.shown.withFaults.cameBack == plays && outcome.shown.withFaults.plays == plays)
        #expect(outcome.shown.withoutFaults.cameBack == 0 && outcome.shown.withoutFaults.plays == without)
    }

    @Test("faults are not blamed if no attempt without them counts, or if further ones with them do not")
    func blamesNoFaultWithoutComparison() async throws {
        let alone = try await Self.outcome(
            of: SimulatedClient { candidate, _ in candidate.faults.isEmpty ? .spoilt() : .fails(.crashes) })
        #expect(alone.bug == nil && alone.shown.withFaults.cameBack == 4 && alone.shown.withoutFaults.plays == 0)
        let plays = SimulatedClient.Counter()
        let spoilt = try await Self.outcome(
            of: SimulatedClient { candidate, _ in
                guard !candidate.faults.isEmpty else { return .holds }
                let number = plays.next()
                return number >= 12 ? .spoilt() : number.isMultiple(of: 3) ? .fails(.crashes) : .holds
            })
        #expect(spoilt.bug == nil && spoilt.shown.withFaults.cameBack == 4 && spoilt.shown.withFaults.plays == 12)
        #expect(spoilt.shown.withoutFaults.cameBack == 0 && spoilt.shown.withoutFaults.plays == 12)
    }

    @Test(
        "a failure that seldom comes back is confirmed only if it never comes without faults",
        arguments: [
            // In 7 of 68 plays, in 5, and in 12 beside 2 without faults.
            (Array(stride(from: 0, to: 68, by: 11)), [], true), ([0, 1, 17, 34, 51], [], false),
            (Array(stride(from: 0, to: 68, by: 6)), [0, 34], false),
        ] as [([Int], [Int], Bool)])
    func comparesRareFailures(_ with: [Int], _ without: [Int], _ isBug: Bool) async throws {
        let (faulty, quiet) = (SimulatedClient.Counter(), SimulatedClient.Counter())
        let outcome = try await Self.outcome(
            of: SimulatedClient { candidate, _ in
                let fails = candidate.faults.isEmpty ? without.contains(quiet.next()) : with.contains(faulty.next())
                return fails ? .fails(.crashes) : .holds
            })
        #expect((outcome.bug != nil) == isBug && outcome.shown.candidate == Self.both)
        #expect(outcome.shown.withFaults.cameBack == with.count && outcome.shown.withFaults.plays == 68)
        #expect(outcome.shown.withoutFaults.cameBack == without.count && outcome.shown.withoutFaults.plays == 68)
    }

    @Test("faults become simpler within the layers of the hunt", arguments: [HuntFault.Layer.packet, .link])
    func keepsToLayers(_ layer: HuntFault.Layer) async throws {
        let lost: Set<HuntFault.Kind> = [.severed, .connectionsReset, .cut, .reset]
        let client = SimulatedClient { candidate, _ in
            candidate.faults.contains { lost.contains($0.kind) } ? .fails(.crashes) : .holds
        }
        var hunt = Hunt.short(client, attempts: 300)
        (hunt.layers, hunt.untilFound) = ([layer], 1)
        let bug = try #require(try await hunt.perform().bugs.first)
        #expect(bug.isReduced && bug.candidate.faults.map(\.kind.row.layer) == [layer])
    }

    @Test("when one fault has become simpler, each fault is tried again, whatever its place in the order is now")
    func triesEachFaultAgain() async throws {
        // The simpler fault, a cut, comes before the other one in the order, where it is not yet at a round byte.
        let client = SimulatedClient { candidate, _ in
            candidate.has(.gzip) && (candidate.has(.severed) || candidate.has(.cut)) ? .fails(.crashes) : .holds
        }
        var hunt = Hunt.short(client)
        hunt.untilFound = 1
        let found = Candidate([HuntFault(.severed, of: SimulatedClient.pack, offset: 123_457), Self.gzip])
        let bug = try #require(try await hunt.perform(kept: [found]).bugs.first)
        let cut = HuntFault(.cut, of: SimulatedClient.pack, offset: SimulatedClient.pack.size / 2)
        #expect(bug.isReduced && bug.candidate == Candidate([cut, Self.gzip]), "\(bug.candidate.words)")
    }

    @Test("when one fault has become simpler, others in the same order are not tried again")
    func triesNoFaultTwice() async throws {
        let reset = HuntFault(.reset, of: SimulatedClient.pack, offset: 123_457)
        let late = HuntFault(.lateHead, of: SimulatedClient.pack, request: 2)
        let others = SimulatedClient.Counter()
        let client = SimulatedClient { candidate, _ in
            if candidate.faults.count == 2, !candidate.faults.contains(reset) { _ = others.next() }
            return candidate.faults.contains(reset) && candidate.has(.lateHead, 2) ? .fails(.crashes) : .holds
        }
        let bug = try #require(try await Self.outcome(of: client, with: Candidate([reset, late])).bug)
        #expect(bug.isReduced && bug.candidate == Candidate([reset, late.changed { $0.milliseconds = 500 }]))
        // A cut instead of the reset, and the reset at three rounder bytes: two plays show that each does not fail.
        #expect(others.count == 8)
    }
}
