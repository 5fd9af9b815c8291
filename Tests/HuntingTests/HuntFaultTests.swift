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

    @Test(
        "a corpus gives no candidate with more faults than a hunt puts together",
        arguments: [(Candidate.mostFaults, 1), (Candidate.mostFaults + 1, 0)])
    func corpusIsBounded(_ faults: Int, _ read: Int) {
        let cuts = (1...faults).map { HuntFault(.cut, of: SimulatedClient.pack, request: $0, offset: 5) }
        #expect(StoredCorpus([Candidate(cuts)]).candidates(of: [SimulatedClient.pack]).count == read)
    }
}
