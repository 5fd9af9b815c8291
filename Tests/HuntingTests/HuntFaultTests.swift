import LinkModel
import Testing

@testable import Hunting
@testable import Results

/// What a fault is called, where it is, and what it may become.
@Suite struct HuntFaultTests {
    private static let other = HuntPack(identifier: "level-2", path: "/packs/level-2.bin", size: 1000)

    @Test("redirects of two packs lead to two paths, because a host serves one pack at each")
    func redirectsNameTheirPack() {
        let texts = [SimulatedClient.pack, Self.other].flatMap { HuntFault(.redirect, of: $0).lines.map(\.text) }
        #expect(
            texts == [
                "L1 GET /level.bin from=0 try=1 redirect=/moved/1/level.bin",
                "L1 GET /packs/level-2.bin from=0 try=1 redirect=/moved/1/packs/level-2.bin",
            ])
    }

    @Test("the sentence of a bug names the pack of each request if the client downloads several")
    func namesPacks() async throws {
        var range = SimulatedClient.pack
        range.rangeStart = 500_000
        let candidate = Candidate([
            HuntFault(.unavailable, of: SimulatedClient.pack), HuntFault(.cut, of: range, request: 2, offset: 600_000),
            HuntFault(.redirect, of: Self.other),
        ])
        #expect(
            candidate.words(namingPacks: true)
                == "request 1 for level gets status 503, the connection of request 2 for the range from byte 500000 of "
                + "level ends at byte 600000 of 1000000 and request 1 for level-2 is redirected to another path")
        let redirected = Candidate([HuntFault(.redirect, of: SimulatedClient.pack)])
        var client = SimulatedClient { candidate, _ in candidate.has(.redirect) ? .fails(.crashes) : .holds }
        for name in ["request 1", "request 1 for level"] {
            var hunt = Hunt.short(client)
            hunt.untilFound = 1
            let bug = try #require(try await hunt.perform(kept: [redirected]).bugs.first)
            #expect(bug.paragraph.hasSuffix(" when \(name) is redirected to another path."), "\(bug.paragraph)")
            client.packs.append(Self.other)
        }
    }

    @Test(
        "a fault of another host's connection becomes none of Headwind's host",
        arguments: [HuntFault.Kind.severed, .connectionsReset, .silenceForGood, .killed])
    func simplerKeepsToTheMedium(_ kind: HuntFault.Kind) {
        var connection = SimulatedClient.pack
        connection.medium = .connection(.downlink)
        let simpler = HuntFault(kind, of: connection, offset: 123_457).simpler
        #expect(!simpler.isEmpty && simpler.allSatisfy { $0.kind.row.layer != .host })
        let ofFile = HuntFault(kind, of: SimulatedClient.pack, offset: 123_457).simpler
        #expect(ofFile.contains { $0.kind.row.layer == .host })
    }

    @Test("a known connection has the same places in each attempt, however many bytes it carries")
    func connectionsKeepTheirPlaces() {
        func places(_ bytes: Int64, _ packs: [HuntPack]) -> [InterestingPlaces.Request] {
            var conduct = ConductRecord(isCommand: true)
            conduct.connections = [.init(name: "#1", downlinkBytes: bytes, uplinkBytes: bytes)]
            let attempt = AttemptRecord(number: 1, seed: Seed(1), conduct: conduct)
            return InterestingPlaces(of: attempt, packs: packs).requests
        }
        let first = places(50_000, [])
        #expect(first.map(\.pack.identifier) == ["#1", "#1 up"])
        #expect(places(49_000, first.map(\.pack)) == first)
        #expect(places(49_000, []).map(\.pack.size) == [49_000, 49_000])
    }

    @Test("faults come at each callback, and at the report of progress before it")
    func comesAtCallbacks() throws {
        var conduct = ConductRecord(isCommand: false)
        conduct.requests = [
            .init("one", began: 0, calledBack: 1, isAvailable: true, progress: .init(reports: 3, most: 1)),
            .init("two", began: 2, calledBack: nil, isAvailable: false),
            .init("three", began: 3, calledBack: 4, isAvailable: false),
        ]
        let attempt = AttemptRecord(number: 1, seed: Seed(1), conduct: conduct)
        let places = InterestingPlaces(of: attempt, packs: [SimulatedClient.pack])
        let faults = places.singles(of: HuntFault.Kind.allCases).filter {
            if case .client = $0.pack.medium { true } else { false }
        }
        #expect(Set(faults.map(\.kind)) == Set(HuntFault.Kind.allCases.filter(\.row.isOfMoment)))
        let kills = faults.filter { $0.kind == .killed }
        #expect(
            Set(kills.flatMap(\.lines).map(\.text)) == [
                "client killed after=progress+3", "client killed after=callback+1", "client killed after=callback+2",
            ])
        #expect(
            Set(kills.map(\.words)) == [
                "the client is killed at report 3 of the client's progress, and started again",
                "the client is killed at callback 1 of the client, and started again",
                "the client is killed at callback 2 of the client, and started again",
            ])
        let stored = StoredCorpus(kills.map { Candidate([$0]) })
        #expect(Set(stored.candidates(of: [SimulatedClient.pack])) == Set(kills.map { Candidate([$0]) }))
        // What is stored stays, so expectations about an empty store say nothing about the client.
        #expect(kills.allSatisfy { !Candidate([$0]).isRecoverable })
        // The end of a command is no callback.
        conduct.isCommand = true
        let command = InterestingPlaces(
            of: AttemptRecord(number: 1, seed: Seed(1), conduct: conduct), packs: [SimulatedClient.pack])
        #expect(command.moments.map(\.pack.identifier) == ["client progress"])
        // A client that reports nothing is spared them.
        var generator = Generator([SimulatedClient.pack], kinds: [.killed], knowsDigest: true, seed: 1)
        let silent = AttemptRecord(number: 1, seed: Seed(1), conduct: ConductRecord(isCommand: true))
        generator.begin(
            InterestingPlaces(of: silent, packs: [SimulatedClient.pack]), with: kills.map { Candidate([$0]) })
        while let candidate = generator.next(Corpus()) {
            #expect(candidate.faults.allSatisfy { $0.pack == SimulatedClient.pack })
        }
    }

    @Test("while the client pauses after a failure, the link changes, or the client is killed")
    func comesInPauses() async throws {
        let client = SimulatedClient { _, _ in .holds }
        let cut = HuntFault(.cut, of: SimulatedClient.pack, offset: 500_000)
        var generator = Generator(client.packs, kinds: HuntFault.Kind.allCases, knowsDigest: true, seed: 1)
        for single in [cut, HuntFault(.reset, of: SimulatedClient.pack, offset: 400_000)] {
            let attempt = try #require(try await client.play(Candidate([single])).attempts.first)
            generator.queueSecondFaults(
                after: Candidate([single]), at: InterestingPlaces(of: attempt, packs: client.packs))
        }
        let paused = generator.seconds.flatMap(\.faults).filter { $0.wait > 0 }
        // One failure is enough: both lose the connection.
        #expect(paused.count == Set(paused.map(\.kind)).count)
        #expect(Set(paused.map(\.kind)) == Set(HuntFault.Kind.allCases.filter(\.row.isOfMoment)))
        let outage = try #require(paused.first { $0.kind == .refusal })
        // The client pauses for 0.5 s.
        let line = "link outage kind=refused after=pack:level:1000000 wait=200ms until=+1s"
        #expect(outage.lines.map(\.text) == [line])
        #expect(outage.words == "connections are refused for 1 s, 200 ms after the last byte of request 1")
        #expect(outage.simpler.first?.wait == 0 && outage.place == .pause)
        let kill = try #require(paused.first { $0.kind == .killed })
        #expect(Candidate([kill, cut]).words.hasSuffix("and started again"), "what waits comes last")
        let stored = StoredCorpus([Candidate([cut, outage])])
        #expect(stored.candidates(of: client.packs) == [Candidate([cut, outage])])
    }

    @Test(
        "a pause counts from the last byte, so there is none behind an answer that stalled or never came",
        arguments: [(206, 1.0, 500), (206, 0.2, 0), (nil, 1.0, 0), (503, nil, 500)] as [(Int?, Double?, Int64)])
    func measuresPauses(_ status: Int?, _ lastByte: Double?, _ pause: Int64) {
        var conduct = ConductRecord(isCommand: true)
        conduct.fetches = [
            .init("level", number: 1, began: 0, lastByte: lastByte, ended: 1, status: status, bytes: 5, isWhole: false),
            .init("level", number: 2, began: 1.5, ended: 2, bytes: 1_000_000),
        ]
        let places = InterestingPlaces(
            of: AttemptRecord(number: 1, seed: Seed(1), conduct: conduct), packs: [SimulatedClient.pack])
        #expect(places.requests.first?.pause == pause)
    }

    @Test(
        "a corpus gives no candidate with more faults than a hunt puts together",
        arguments: [(Candidate.mostFaults, 1), (Candidate.mostFaults + 1, 0)])
    func corpusIsBounded(_ faults: Int, _ read: Int) {
        let cuts = (1...faults).map { HuntFault(.cut, of: SimulatedClient.pack, request: $0, offset: 5) }
        #expect(StoredCorpus([Candidate(cuts)]).candidates(of: [SimulatedClient.pack]).count == read)
    }
}
