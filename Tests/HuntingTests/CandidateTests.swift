import Foundation
import LinkModel
import PackFormat
import PackHost
import Testing

@testable import Hunting
@testable import Results

/// The faults that are tried together, and what a good client does with them.
@Suite struct CandidateTests {
    private static func fault(_ kind: HuntFault.Kind, _ request: Int = 1, at offset: Int64 = 500_000) -> HuntFault {
        HuntFault(kind, of: SimulatedClient.pack, request: request, offset: offset)
    }

    @Test("the lines of each kind are read back, and the host can play its own", arguments: HuntFault.Kind.allCases)
    func linesReadBack(_ kind: HuntFault.Kind) throws {
        for offset in InterestingPlaces.offsets(from: 0, upTo: SimulatedClient.pack.size) {
            let schedule = Candidate([Self.fault(kind, kind.row.isFirstOnly ? 1 : 2, at: offset)]).schedule
            #expect(try FaultSchedule(parsing: schedule.text).lines == schedule.lines)
            for case .host(let line) in schedule.lines { _ = try HostFault(scheduled: line.hostAction) }
        }
        #expect(!Self.fault(kind).words.isEmpty && !Self.fault(kind).words.contains("{"))
    }

    @Test("faults of connections affect packets, the link and the client alone, and each schedule is tried once")
    func connectionsHavePlaces() throws {
        var conduct = ConductRecord(isCommand: true)
        conduct.connections = [
            .init(name: "/a.zip", downlinkBytes: 100_000, uplinkBytes: 90), .init(name: "#2", end: "refused"),
            .init(name: "#3", downlinkBytes: 300, uplinkBytes: 50_000),
        ]
        let packs = HuntPack.connections(of: conduct)
        #expect(packs.map(\.identifier) == ["/a.zip", "#3", "#3 up"] && packs.map(\.size) == [100_000, 300, 50_000])
        let places = InterestingPlaces(of: AttemptRecord(number: 1, seed: Seed(1), conduct: conduct), packs: packs)
        #expect(places.requests.map(\.pack) == packs)
        #expect(places.requests.map(\.number) == [1, 3, 3])
        let singles = places.singles(of: HuntFault.Kind.all(of: [.packet, .link, .client]))
        #expect(Set(singles.map(\.lines)).count == singles.count)
        #expect(singles.count { $0.kind == .lostLookup } == 1)
        for fault in singles {
            let schedule = Candidate([fault]).schedule
            #expect(try FaultSchedule(parsing: schedule.text).lines == schedule.lines)
            #expect(!schedule.text.contains("L1 ") && !schedule.text.contains("pack:"), "\(schedule.text)")
        }
        let lost = HuntFault(.lostPacket, of: packs[2], request: 3, offset: 2000)
        #expect(lost.lines.map(\.text) == ["L2 conn=3 up off=2000 tx=1 drop"])
        #expect(lost.words == "a packet of connection #3 is lost at byte 2000 of what it sends")
        let silent = HuntFault(.silence, of: packs[0], offset: 5000, milliseconds: 500)
        #expect(silent.lines.map(\.text) == ["link outage kind=silent after=conn/a.zip:down:5000 until=+500ms"])
    }

    @Test("a hunt goes on after its last fault, although the connection carries another number of bytes each time")
    func exploresTheNextConnection() {
        func conduct(_ bytes: Int64) -> ConductRecord {
            var conduct = ConductRecord(isCommand: true)
            conduct.connections = [.init(name: "#1", downlinkBytes: bytes), .init(name: "#2", downlinkBytes: 500)]
            return conduct
        }
        let packs = HuntPack.connections(of: conduct(1000))
        let lost = HuntFault(.lostPacket, of: packs[0], request: 1, offset: 20)
        let attempt = AttemptRecord(number: 1, seed: Seed(1), conduct: conduct(700))
        let entry = Corpus.Entry(
            candidate: Candidate([lost]), places: InterestingPlaces(of: attempt, packs: packs), count: 1)
        var generator = Generator(packs, kinds: HuntFault.Kind.all(of: [.packet]), knowsDigest: true, seed: 1)
        generator.explore(entry)
        let next = generator.next(Corpus())
        #expect(next?.faults.contains(lost) == true && next?.faults.map(\.request).max() == 2)
    }

    @Test("faults of ranges that a client requests side by side name the range, not the order of the requests")
    func rangesAreNamed() throws {
        let pack = SimulatedClient.pack
        var conduct = ConductRecord(isCommand: true)
        let requests: [(Int, Int64, Int)] = [(1, 500_000, 1), (2, 0, 1), (3, 500_000, 2)]
        conduct.fetches = requests.map { number, from, numberOfRange in
            var fetch = ConductRecord.Fetch(
                pack.identifier, number: number, began: 0, ended: 1, askedFrom: from, answeredFrom: from, status: 206,
                bytes: 500_000)
            fetch.numberOfRange = numberOfRange
            return fetch
        }
        let places = InterestingPlaces(of: AttemptRecord(number: 1, seed: Seed(1), conduct: conduct), packs: [pack])
        #expect(places.requests.map(\.pack.rangeStart) == [500_000, 0, 500_000])
        #expect(places.requests.map(\.number) == [1, 1, 2])
        // No offset lies in another range, where it would change nothing.
        #expect(places.requests[1].offsets.allSatisfy { $0 <= 500_000 })
        let again = places.requests[2]
        let cut = HuntFault(.cut, of: again.pack, request: again.number, offset: 600_000)
        #expect(cut.lines.map(\.text) == ["L1 GET /level.bin@500000 from=500000 try=2 cut@600000"])
        #expect(cut.words.contains("request 2 for the range from byte 500000"))
        let lost = HuntFault(.lostPacket, of: again.pack, request: again.number, offset: 20)
        #expect(lost.lines.map(\.text) == ["L2 conn=/level.bin@500000#2 down off=20 tx=1 drop"])
        let silent = HuntFault(
            .silence, of: again.pack, request: again.number, offset: 600_000, milliseconds: 500)
        #expect(
            silent.lines.last?.text
                == "link outage kind=silent after=conn/level.bin@500000#2:down:100000 until=+500ms")
        #expect(try FaultSchedule(parsing: Candidate([silent]).schedule.text).lines == silent.lines)
        // No fault of a packet is behind the bytes of the range, which its connection carries.
        let packets = places.singles(of: HuntFault.Kind.all(of: [.packet])).filter { $0.kind.row.hasPlace }
        #expect(!packets.isEmpty && packets.allSatisfy { $0.offset <= 500_000 })
        let kept = StoredCorpus([Candidate([cut])])
        #expect(kept.candidates(of: [pack]) == [Candidate([cut])])
        // The same fault of two ranges is two faults.
        let first = HuntFault(.cut, of: places.requests[1].pack, request: 2, offset: 600_000)
        #expect(Candidate([cut, first]).isFair(knowsDigest: true))
    }

    @Test("no fault is placed where it cannot happen: behind the end, in a used connection, or in bytes fetched again")
    func placesCanBeMet() {
        func places(_ requests: [(from: Int64, bytes: Int64, connection: Int?)]) -> InterestingPlaces {
            var conduct = ConductRecord(isCommand: true)
            conduct.fetches = requests.enumerated().map { index, request in
                .init(
                    "level", number: index + 1, began: 0, ended: 1, askedFrom: request.from,
                    answeredFrom: request.from, status: request.from == 0 ? 200 : 206, bytes: request.bytes,
                    isWhole: request.from + request.bytes == 1_000_000, connection: request.connection)
            }
            return InterestingPlaces(
                of: AttemptRecord(number: 1, seed: Seed(1), conduct: conduct), packs: [SimulatedClient.pack])
        }
        func kinds(_ layer: HuntFault.Layer, _ request: Int, _ places: InterestingPlaces) -> Set<HuntFault.Kind> {
            let singles = places.singles(of: HuntFault.Kind.all(of: [layer]))
            return Set(singles.filter { $0.request == request && $0.kind.row.hasPlace }.map(\.kind))
        }
        let resumed = places([(0, 500_000, 1), (500_000, 500_000, 2)])
        #expect(resumed.singles(of: HuntFault.Kind.all(of: [.host])).allSatisfy { $0.offset < 1_000_000 })
        let ends = resumed.singles(of: HuntFault.Kind.all(of: [.link])).filter { $0.offset == 1_000_000 }
        #expect(!ends.isEmpty && ends.allSatisfy { $0.lines.count == 1 })
        #expect(kinds(.packet, 2, resumed).contains(.lostPacket) && kinds(.link, 2, resumed).contains(.silence))
        #expect(resumed.singles(of: HuntFault.Kind.all(of: [.packet])).allSatisfy { $0.offset <= 500_000 })
        // After an error the connection is used again, so no connection has the number of the request.
        let kept = places([(0, 0, 1), (0, 500_000, 1), (500_000, 500_000, 2)])
        #expect(kinds(.packet, 2, kept).isEmpty && kinds(.packet, 3, kept).isEmpty)
        #expect(!kinds(.link, 2, kept).isEmpty)
        // The bytes of a download that begins again are not those that the link counts.
        let again = places([(0, 500_000, 1), (0, 1_000_000, 2)])
        #expect(kinds(.link, 2, again).isEmpty && kinds(.client, 2, again).isEmpty)
        #expect(!kinds(.host, 2, again).isEmpty && !kinds(.packet, 2, again).isEmpty)
    }

    @Test(
        "a good client gets the pack if at most one fault costs a try, and each fault ends by itself",
        arguments: [
            ([fault(.stall)], false), ([fault(.cut)], true), ([fault(.cut), fault(.lateHead, 2)], false),
            ([fault(.cut), fault(.unavailable, 2)], false), ([fault(.notFound)], false),
            ([fault(.changedETag)], false), ([fault(.cut), fault(.weakETag, 2)], false), ([fault(.chunked)], true),
            ([HuntFault(.stall, of: SimulatedClient.pack, offset: 5, milliseconds: 500)], true),
            ([HuntFault(.stall, of: SimulatedClient.pack, offset: 5, milliseconds: 500), fault(.reset)], true),
            (
                [(HuntFault.Kind.stall, 500), (.pause, 500), (.latePacket, 100)].map {
                    HuntFault($0, of: SimulatedClient.pack, offset: 5, milliseconds: $1)
                }, false
            ),
        ])
    func isRecoverable(_ faults: [HuntFault], _ expected: Bool) {
        #expect(Candidate(faults).isRecoverable == expected)
    }

    @Test(
        "a client is not expected to know what it cannot know",
        arguments: [
            ([fault(.corrupt)], true, false), ([fault(.portal)], true, false), ([fault(.cut)], true, true),
            ([fault(.untilClose), fault(.cut)], true, false), ([fault(.untilClose)], true, true),
            ([fault(.newEdition), fault(.weakETag, 2)], true, false), ([fault(.newEdition)], true, true),
            ([fault(.newEdition), fault(.stall)], false, false), ([fault(.newEdition, 2)], false, false),
            ([fault(.shorterEdition), fault(.weakETag, 2)], true, false), ([fault(.shorterEdition)], true, true),
            ([fault(.shorterEdition), fault(.stall)], false, false), ([fault(.redirectLoop)], true, true),
            ([fault(.cut), fault(.cut, at: 7)], false, false), ([fault(.cut), fault(.cut, 2)], true, true),
        ])
    func isFair(_ faults: [HuntFault], _ withDigest: Bool, _ without: Bool) {
        #expect(Candidate(faults).isFair(knowsDigest: true) == withDigest)
        #expect(Candidate(faults).isFair(knowsDigest: false) == without)
    }

    @Test("the order of faults, and a repeated fault, make no difference")
    func hasOneOrder() {
        let (first, second) = (Self.fault(.cut), Self.fault(.unavailable, 2))
        #expect(Candidate([first, second]) == Candidate([second, first, second]))
    }

    @Test("faults of ranges side by side have one order, too")
    func rangesHaveOneOrder() {
        let faults = (0..<4 as Range<Int64>).map { index in
            var pack = SimulatedClient.pack
            pack.rangeStart = index * 1000
            return HuntFault(.unavailable, of: pack)
        }
        #expect((0..<20).allSatisfy { _ in Candidate(faults.shuffled()).faults == faults })
    }

    @Test("a change at a byte of the pack stays at its request", arguments: [HuntFault.Kind.killed, .silence])
    func simplerKeepsRequest(_ kind: HuntFault.Kind) {
        let fault = HuntFault(kind, of: SimulatedClient.pack, request: 2, offset: 700_000)
        #expect(fault.simpler.allSatisfy { $0.request == 2 } && !fault.simpler.isEmpty)
    }

    @Test("no fault is simpler than one that is simpler than it", arguments: HuntFault.Kind.allCases)
    func simplerIsOneWay(_ kind: HuntFault.Kind) {
        let size = SimulatedClient.pack.size
        for offset in [0, 1, size / 2, size / 10 * 9, size - 1, size] {
            let fault = HuntFault(kind, of: SimulatedClient.pack, request: 2, offset: offset)
            for other in fault.simpler { #expect(!other.simpler.contains(fault), "\(fault.words): \(other.words)") }
        }
    }

    @Test("places are within the requested bytes, and include their ends")
    func placesAreWithin() {
        #expect(InterestingPlaces.offsets(from: 0, upTo: 1) == [0, 1])
        #expect(InterestingPlaces.offsets(from: 999_999, upTo: 1_000_000) == [999_999, 1_000_000])
        let all = InterestingPlaces.offsets(from: 0, upTo: 1_000_000)
        #expect(all.first == 0 && all.suffix(3) == [997_952, 999_999, 1_000_000])
    }

    @Test("a corpus is read back, without candidates for other packs")
    func corpusReadsBack() throws {
        let kept = [Candidate([Self.fault(.cut)]), Candidate([Self.fault(.stall, 3, at: 7), Self.fault(.gzip)])]
        let data = try JSONEncoder().encode(StoredCorpus(kept))
        let read = try JSONDecoder().decode(StoredCorpus.self, from: data)
        #expect(read.candidates(of: [SimulatedClient.pack]) == kept)
        #expect(read.candidates(of: []).isEmpty)
    }

    @Test("a corpus keeps as many of its first candidates as fit")
    func corpusFits() throws {
        let candidates = (0..<1000).map { Candidate([Self.fault(.cut, at: $0), Self.fault(.gzip)]) }
        let data = try StoredCorpus(candidates).fitting(into: 20_000) { try JSONEncoder().encode($0) }
        let read = try JSONDecoder().decode(StoredCorpus.self, from: data).candidates(of: [SimulatedClient.pack])
        #expect(data.count < 20_000 && read.count > 50 && read == Array(candidates.prefix(read.count)))
    }

    @Test(
        "a corpus of any content gives faults that can be played, or none",
        arguments: [
            #"{"kind": "cut", "pack": "level", "request": 0, "offset": 1, "milliseconds": 0}"#,
            #"{"kind": "cut", "pack": "level", "request": 9223372036854775807, "offset": 1, "milliseconds": 0}"#,
            #"{"kind": "cut", "pack": "level", "request": 1, "offset": 1, "milliseconds": 0, "range_start": -5}"#,
            #"{"kind": "silence", "pack": "level", "request": 1, "offset": 1, "milliseconds": 0, "#
                + #""range_start": 9223372036854775807}"#,
            #"{"kind": "explode", "pack": "level", "request": 1, "offset": 1, "milliseconds": 0}"#,
            #"{"kind": "stall", "pack": "level", "request": 1, "offset": -1, "milliseconds": 9223372036854775807}"#,
        ])
    func corpusIsHostile(_ fault: String) throws {
        let text = #"{"schema_version": 1, "candidates": [["# + fault + "], []]}"
        let read = try JSONDecoder().decode(StoredCorpus.self, from: Data(text.utf8))
        #expect(read.candidates(of: [SimulatedClient.pack]).isEmpty)
    }
}
