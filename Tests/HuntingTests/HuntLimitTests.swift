import Results
import Synchronization
import Testing

@testable import Hunting

/// What hunts of simulated clients say at their limits, and what they say they tried.
@Suite struct HuntLimitTests {
    private static let needed = HuntFault(.gzip, of: SimulatedClient.pack)
    /// Three faults, of which a client needs one.
    private static let three = Candidate([
        needed, HuntFault(.lateHead, of: SimulatedClient.pack, request: 2),
        HuntFault(.stall, of: SimulatedClient.pack, request: 2, offset: 7),
    ])

    @Test("a machine that is busy at first only delays a hunt")
    func waitsForAQuietMoment() async throws {
        let client = SimulatedClient { _, number in number < 12 ? .spoilt() : .holds }
        #expect(try await Hunt.short(client, attempts: 50).perform().attempts == 50)
    }

    @Test(
        "a hunt that cannot measure an attempt without faults ends, the sooner if the machine is not only busy",
        arguments: [
            // A short disturbance spoils many short attempts, so they go on for 30 seconds; long ones go on for longer.
            (Attribution.machineNoisy, Duration.milliseconds(100), 300), (.machineNoisy, .seconds(10), 20),
            (.capabilityMissing, .milliseconds(100), 3), (.linkBypassed, .milliseconds(100), 3),
        ])
    func endsWithoutAMeasurement(_ trouble: Attribution, of length: Duration, plays: Int) async {
        let client = SimulatedClient { _, _ in .spoilt(trouble) }
        var hunt = Hunt.short(client)
        let start = ContinuousClock.now
        hunt.now = { start + length * client.plays.count }
        let prepared = hunt
        await #expect(throws: HuntError.self) { try await prepared.perform() }
        #expect(client.plays.count == plays)
    }

    @Test("a failure of the last attempt is confirmed while there is time")
    func confirmsTheLastFailure() async throws {
        let client = SimulatedClient { candidate, _ in candidate.faults.isEmpty ? .holds : .fails(.crashes) }
        let result = try await Hunt.short(client, attempts: 2).perform()
        #expect(result.bugs.count == 1 && result.unconfirmed.isEmpty)
    }

    @Test("a failure that is found when the time is over is listed as unconfirmed")
    func listsLateFailures() async throws {
        let client = SimulatedClient { candidate, _ in candidate.faults.isEmpty ? .holds : .fails(.crashes) }
        var hunt = Hunt.short(client)
        let start = ContinuousClock.now
        hunt.now = { client.plays.count > 1 ? start + .seconds(3 * 3600) : start }
        let result = try await hunt.perform()
        #expect(result.bugs.isEmpty && result.unconfirmed.map(\.withFaults.plays) == [0])
    }

    /// A client whose plays never end after so many.
    private struct StuckClient: HuntStage {
        let client: SimulatedClient
        let most: Int
        /// Called when a play does not end.
        let stuck: @Sendable () -> Void
        var packs: [HuntPack] { client.packs }
        var knowsDigest: Bool { true }
        var metNeeds: Set<HuntFault.Need> { client.metNeeds }
        var waiting: Int { 0 }

        func play(_ candidate: Candidate) async throws -> CellResult {
            if client.plays.count >= most {
                stuck()
                try await Task.sleep(for: .seconds(3600))
            }
            return try await client.play(candidate)
        }
    }

    @Test("an interrupted hunt lists the failure that it confirms, and counts its plays", arguments: [2, 5])
    func listsInterruptedFailures(_ most: Int) async throws {
        let (stream, found) = AsyncStream.makeStream(of: Void.self)
        let client = SimulatedClient { candidate, _ in candidate.faults.isEmpty ? .holds : .fails(.crashes) }
        let hunt = Hunt.short(StuckClient(client: client, most: most, stuck: { found.finish() }))
        let running = Task { try await hunt.perform() }
        for await _ in stream {}
        running.cancel()
        let result = try await running.value
        #expect(result.isInterrupted && result.bugs.isEmpty && result.attempts == most)
        // The first two attempts are that without faults, and the one that fails.
        #expect(result.unconfirmed.map(\.withFaults.plays) == [most - 2])
    }

    @Test("an attempt that the machine disturbs is not repeated when the time for new faults is over")
    func repeatsNothingLate() async throws {
        let client = SimulatedClient { candidate, _ in candidate.faults.isEmpty ? .holds : .spoilt() }
        var hunt = Hunt.short(client)
        let start = ContinuousClock.now
        hunt.now = { client.plays.count > 1 ? start + .seconds(3 * 3600) : start }
        #expect(try await hunt.perform().attempts == 1)
        #expect(client.plays.count == 2)
    }

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

    @Test("a fault that only costs a request is left out, and the others apply to the requests before theirs")
    func shiftsLaterFaults() async throws {
        func cuts(from first: Int) -> [HuntFault] {
            [first, first + 1].map { HuntFault(.cut, of: SimulatedClient.pack, request: $0, offset: 500_000) }
        }
        // It fails at two cuts in a row, if no request before them is good.
        let client = SimulatedClient { candidate, _ in
            let (cuts, others) = (candidate.faults.filter { $0.kind == .cut }, Set(candidate.faults.map(\.request)))
            guard cuts.count == 2, let last = cuts.map(\.request).max() else { return .holds }
            return others.isSuperset(of: 1...last) ? .fails(.wrongData) : .holds
        }
        var hunt = Hunt.short(client)
        hunt.untilFound = 1
        let found = Candidate([HuntFault(.unavailable, of: SimulatedClient.pack)] + cuts(from: 2))
        let bug = try #require(try await hunt.perform(kept: [found]).bugs.first)
        #expect(bug.isReduced && bug.candidate.faults == cuts(from: 1), "\(bug.candidate.words)")
    }

    @Test("a bug with more faults is dropped when some of them turn out to do as much harm alone")
    func dropsExplainedBugs() async throws {
        let both = Candidate([.cut, .lateHead].map { HuntFault($0, of: SimulatedClient.pack) })
        let client = SimulatedClient { candidate, _ in
            guard candidate.has(.cut) else { return .holds }
            return candidate.has(.lateHead) ? .fails(.crashes) : .fails(.wrongData)
        }
        let bugs = try await Hunt.short(client, attempts: 1000).perform(kept: [both]).bugs
        #expect(bugs.map { $0.candidate.faults.map(\.kind) } == [[.cut]] && bugs.allSatisfy { $0.others > 0 })
    }

    /// A bug that these faults show.
    private static func bug(_ failure: HuntFailure, _ faults: [HuntFault]) -> HuntedBug {
        HuntedBug(
            failure: failure, candidate: Candidate(faults), withFaults: PlayCount(cameBack: 4, plays: 4), foundAt: 1,
            foundWith: 2,
            shrinkingPlays: 1, isReduced: true)
    }

    /// A failure, one as severe with another name, and one that is less severe.
    private static func failures() async throws -> (plain: HuntFailure, named: HuntFailure, milder: HuntFailure) {
        let client = SimulatedClient { _, _ in .fails(.givesUp) }
        let plain = try #require(HuntFailure(of: try await client.play(Candidate([]))))
        var (named, milder) = (plain, plain)
        named.cause = .bug(.breaksOnFlapping)
        milder.severity = .wasteful
        return (plain, named, milder)
    }

    @Test("connections that are lost in several ways show one bug, unless they do different harm")
    func mergesWaysOfLosingConnections() async throws {
        let (plain, named, milder) = try await Self.failures()
        func bug(_ kind: HuntFault.Kind, _ failure: HuntFailure) -> HuntedBug {
            let lost = HuntFault(kind, of: SimulatedClient.pack, offset: 500_000)
            return Self.bug(failure, [lost, HuntFault(.gzip, of: SimulatedClient.pack, request: 2)])
        }
        for kind in [HuntFault.Kind.reset, .severed, .connectionsReset] {
            #expect(bug(.cut, plain).explains(bug(kind, named)) && bug(kind, named).explains(bug(.cut, plain)))
            #expect(!bug(.cut, plain).explains(bug(kind, milder)) && bug(.cut, plain).explains(bug(.cut, milder)))
        }
        #expect(!bug(.cut, plain).explains(bug(.killed, named)))
    }

    @Test("a full device and whatever makes the client try again show one bug, unless they do different harm")
    func mergesFullDevices() async throws {
        let (plain, named, milder) = try await Self.failures()
        func bug(_ failure: HuntFailure, full offset: Int64?, _ kinds: HuntFault.Kind...) -> HuntedBug {
            let full = offset.map { [HuntFault(.deviceFull, of: SimulatedClient.pack, offset: $0)] } ?? []
            return Self.bug(failure, full + kinds.map { HuntFault($0, of: SimulatedClient.pack, offset: 600_000) })
        }
        let cut = bug(plain, full: 500_000, .cut)
        #expect(cut.explains(bug(named, full: 20_000, .stallForGood, .gzip)))
        #expect(cut.explains(bug(named, full: 1_000_000, .noHead)))
        #expect(!bug(named, full: 20_000, .stallForGood, .gzip).explains(cut))
        #expect(!cut.explains(bug(milder, full: 20_000, .stallForGood)))
        #expect(!cut.explains(bug(named, full: nil, .stallForGood, .gzip)))
        #expect(!bug(plain, full: nil, .stallForGood).explains(cut))
    }

    @Test("while enough failures are investigated, no new attempt takes time from them")
    func waitsForInvestigations() async throws {
        let failures = SimulatedClient.Counter()
        let others = SimulatedClient.Counter()
        let client = SimulatedClient { candidate, _ in
            if candidate.has(.gzip) { return failures.next().isMultiple(of: 2) ? .fails(.crashes) : .holds }
            // A second play of the failure means that it is investigated.
            if failures.count > 1, !candidate.faults.isEmpty { _ = others.next() }
            return .holds
        }
        var hunt = Hunt.short(client)
        (hunt.untilFound, hunt.width) = (1, 4)
        #expect(try await hunt.perform().bugs.count == 1)
        // Only attempts that had begun before still end.
        #expect(others.count <= hunt.width)
    }

    /// A client with two bugs: the faults of one are reduced when those of the other are confirmed, and never end.
    private struct TwoBugClient: HuntStage {
        let client = SimulatedClient { candidate, _ in
            candidate.has(.portal) ? .fails(.wrongData) : candidate.has(.gzip) ? .fails(.crashes) : .holds
        }
        let portals = SimulatedClient.Counter()
        var packs: [HuntPack] { client.packs }
        var knowsDigest: Bool { true }
        var metNeeds: Set<HuntFault.Need> { client.metNeeds }
        var waiting: Int { 0 }

        func play(_ candidate: Candidate) async throws -> CellResult {
            // The attempt that fails, and four that confirm it.
            if candidate.has(.portal), portals.next() >= 5 { try await Task.sleep(for: .seconds(3600)) }
            while candidate.has(.gzip), portals.count <= 5 { try await Task.sleep(for: .milliseconds(1)) }
            return try await client.play(candidate)
        }
    }

    @Test("a hunt that has found enough keeps the other bugs that it has confirmed", .timeLimit(.minutes(1)))
    func keepsConfirmedBugs() async throws {
        let late = HuntFault(.lateHead, of: SimulatedClient.pack)
        let kept = [HuntFault.Kind.portal, .gzip].map { Candidate([HuntFault($0, of: SimulatedClient.pack), late]) }
        var hunt = Hunt.short(TwoBugClient())
        (hunt.untilFound, hunt.width) = (1, 4)
        let result = try await hunt.perform(kept: kept)
        #expect(result.bugs.map(\.isReduced) == [false, true] && result.bugs.first?.candidate == kept[0])
        #expect(result.unconfirmed.isEmpty && !result.isInterrupted)
    }

    /// A client of which two attempts run at once, and the first ones end when no other has begun for a while.
    private final class QueuedClient: HuntStage {
        let client = SimulatedClient { _, _ in .holds }
        let begun = SimulatedClient.Counter()
        let ended = SimulatedClient.Counter()
        /// How many attempts had begun when the second one ended; the first one is that without faults.
        let chosen = Mutex(0)
        var packs: [HuntPack] { client.packs }
        var knowsDigest: Bool { true }
        var metNeeds: Set<HuntFault.Need> { client.metNeeds }
        var waiting: Int { max(0, begun.count - ended.count - 2) }

        func play(_ candidate: Candidate) async throws -> CellResult {
            if begun.next() > 0 {
                var known = 0
                while ended.count == 1, known < begun.count {
                    known = begun.count
                    try await Task.sleep(for: .milliseconds(300))
                }
            }
            if ended.next() == 1 { chosen.withLock { $0 = begun.count } }
            return try await client.play(candidate)
        }
    }

    @Test("few attempts are chosen before the results of earlier ones are there")
    func choosesLate() async throws {
        let stage = QueuedClient()
        var hunt = Hunt.short(stage, attempts: 200)
        hunt.width = 100
        #expect(try await hunt.perform().attempts == 200)
        #expect(stage.chosen.withLock { $0 } <= 20)
    }

    @Test("singles are those of the attempt without faults, and pairs those that a client can cope with")
    func countsMembers() async throws {
        let others = (0..<50).map { Candidate([HuntFault(.cut, of: SimulatedClient.pack, offset: 1000 + 7 * $0)]) }
        var client = SimulatedClient { _, _ in .holds }
        client.triesAgain = false
        let known = try await Hunt.short(client, attempts: 250).perform(kept: others).coverage
        #expect(known.singlesTried == 199 && !known.isExhausted)
        let kinds = HuntFault.Kind.allCases.count
        // The pack changes in one way only.
        #expect(known.pairs == kinds * (kinds - 1) / 2 - 1)
        client.knowsDigest = false
        let unknown = try await Hunt.short(client, attempts: 2).perform().coverage
        #expect(unknown.pairs < (kinds - 2) * (kinds - 3) / 2 && unknown.singles < known.singles)
    }

    @Test("a single that the machine spoils is tried again, and one that does not happen is not counted")
    func countsWhatHappened() async throws {
        let spoilt = SimulatedClient.Counter()
        let client = SimulatedClient { candidate, _ in
            if candidate.has(.lateHead), candidate.faults.count == 1, spoilt.next() < 3 { return .spoilt() }
            return candidate.has(.gzip) ? .misses : .holds
        }
        let result = try await Hunt.short(client, attempts: 1000).perform()
        #expect(result.spoilt == 1)
        #expect(result.coverage.singlesTried == result.coverage.singles - 1)
    }
}
