import Testing

@testable import Hunting
@testable import Results

/// The order of candidates, and the limits of reductions.
@Suite struct GeneratorTests {
    /// The answer to the second request comes 2 s late.
    private static let lateAnswer = HuntFault(.lateHead, of: SimulatedClient.pack, request: 2)

    @Test("if every attempt looks new, pairs are tried all the same, and the queue is bounded")
    func starvesNothing() async throws {
        let client = SimulatedClient { _, _ in .holds }
        func entry(_ candidate: Candidate) async throws -> Corpus.Entry {
            let attempt = try #require(try await client.play(candidate).attempts.first)
            return .init(
                candidate: candidate, places: InterestingPlaces(of: attempt, packs: client.packs), count: 1)
        }
        let quiet = try await entry(Candidate([]))
        var generator = Generator(client.packs, kinds: HuntFault.Kind.allCases, knowsDigest: true, seed: 1)
        generator.begin(try #require(quiet.places), with: [])
        let corpus = Corpus()
        var drawn = 0
        for _ in 0..<5000 {
            let next = generator.next(corpus)
            let candidate = try #require(next)
            // Candidates that explore a behaviour never have two faults at one request.
            if candidate.faults.count == 2, Set(candidate.faults.map(\.request)).count == 1 { drawn += 1 }
            let entry = try await entry(candidate)
            generator.queueSecondFaults(after: candidate, at: try #require(entry.places))
            generator.explore(entry)
            #expect(generator.waiting <= Generator.mostWaiting)
        }
        #expect(drawn > 100)
    }

    @Test("behind a fault that costs a try, an answer comes in each form that a client bears, and is cut")
    func combinesFormsAndEnds() async throws {
        let client = SimulatedClient { _, _ in .holds }
        let cut = Candidate([HuntFault(.cut, of: SimulatedClient.pack, offset: 500_000)])
        let attempt = try #require(try await client.play(cut).attempts.first)
        var generator = Generator(client.packs, kinds: HuntFault.Kind.all(of: [.host]), knowsDigest: true, seed: 1)
        generator.explore(
            .init(candidate: cut, places: InterestingPlaces(of: attempt, packs: client.packs), count: 1))
        var forms: Set<HuntFault.Kind> = []
        while let candidate = generator.next(Corpus()) {
            let second = candidate.faults.filter { $0.request == 2 }
            guard second.count == 2, second.contains(where: { $0.kind == .cut }) else { continue }
            forms.formUnion(second.map(\.kind))
        }
        #expect(forms.isSuperset(of: [.cut, .chunked, .lateHead, .redirect, .ignoredRange, .noValidators]))
    }

    @Test("once behind each kind of fault that costs a try, the next answer is lost before its first byte, or late")
    func losesAndDelaysTheNextAnswer() async throws {
        let client = SimulatedClient { _, _ in .holds }
        var generator = Generator(client.packs, kinds: HuntFault.Kind.all(of: [.host]), knowsDigest: true, seed: 1)
        // The first byte is not in the middle.
        let faults: [(HuntFault.Kind, Int64)] = [(.cut, 1), (.cut, 500_000), (.cut, 400_000), (.unavailable, 0)]
        for (kind, offset) in faults {
            let single = Candidate([HuntFault(kind, of: SimulatedClient.pack, offset: offset)])
            let attempt = try #require(try await client.play(single).attempts.first)
            generator.queueSecondFaults(after: single, at: InterestingPlaces(of: attempt, packs: client.packs))
        }
        // The client requests the bytes from 500,000 on.
        for second in [HuntFault(.cut, of: SimulatedClient.pack, request: 2, offset: 500_000), Self.lateAnswer] {
            let queued = generator.seconds.filter { $0.faults.count == 2 && $0.faults.contains(second) }
                .map { $0.faults.filter { $0 != second } }
            #expect(queued.map { $0.map(\.kind) } == [[.cut], [.unavailable]])
            #expect(queued[0].map(\.offset) == [500_000])
        }
    }

    @Test(
        "a failure comes two and three times in a row, each time closer to the end",
        arguments: [
            (.cut, [500_000], [750_000], [666_666, 833_333]), (.unavailable, [0], [0], [0, 0]),
            // Another connection carries only the rest.
            (.severed, [500_000], [250_000], [166_666, 333_333]),
        ] as [(HuntFault.Kind, [Int64], [Int64], [Int64])])
    func repeatsFailures(_ kind: HuntFault.Kind, _ first: [Int64], _ two: [Int64], _ three: [Int64]) async throws {
        let client = SimulatedClient { _, _ in .holds }
        let kinds = HuntFault.Kind.all(of: [.host, .packet])
        var generator = Generator(client.packs, kinds: kinds, knowsDigest: true, seed: 1)
        let single = Candidate([HuntFault(kind, of: SimulatedClient.pack, offset: 500_000)])
        let attempt = try #require(try await client.play(single).attempts.first)
        generator.queueSecondFaults(after: single, at: InterestingPlaces(of: attempt, packs: client.packs))
        let rows = generator.seconds.map(\.faults).filter {
            $0.count > 1 && Set($0.map(\.kind)) == [kind] && $0.last?.offset != 500_000
        }
        #expect(rows.map { $0.map(\.offset) } == [first + two, first + three])
        #expect(rows.map { $0.map(\.request) } == [[1, 2], [1, 2, 3]])
    }

    @Test("each refusal comes between two editions") func refusesBetweenEditions() async throws {
        let client = SimulatedClient { _, _ in .holds }
        let cut = Candidate([HuntFault(.cut, of: SimulatedClient.pack, offset: 500_000)])
        let attempt = try #require(try await client.play(cut).attempts.first)
        var generator = Generator(client.packs, kinds: HuntFault.Kind.all(of: [.host]), knowsDigest: true, seed: 1)
        let change = HuntFault(.newEdition, of: SimulatedClient.pack, offset: 500_000)
        generator.queueSecondFaults(
            after: Candidate([change]), at: InterestingPlaces(of: attempt, packs: client.packs))
        let second = generator.seconds.compactMap { $0.faults.count == 2 ? $0.faults.last?.kind : nil }
        #expect(
            Set(second).isSuperset(of: [.unavailable, .unavailableForAWhile, .tooManyRequests, .internalError]))
    }

    @Test("the answer behind a fault is late, although another fault made the client behave alike")
    func delaysAnswersAlike() async throws {
        let client = SimulatedClient { candidate, _ in
            candidate.has(.internalError) && candidate.has(.lateHead, 2) ? .fails(.hangs) : .holds
        }
        var hunt = Hunt.short(client)
        hunt.untilFound = 1
        let bug = try #require(try await hunt.perform().bugs.first)
        #expect(bug.foundAt < 60)
    }

    @Test("the first connection is lost at each place before other faults", arguments: [HuntFault.Kind.cut, .severed])
    func losesTheFirstConnection(_ loss: HuntFault.Kind) async throws {
        let client = SimulatedClient { _, _ in .holds }
        let attempt = try #require(try await client.play(Candidate([])).attempts.first)
        let layers: Set<HuntFault.Layer> = loss == .cut ? Set(HuntFault.Layer.allCases) : [.packet, .link]
        var generator = Generator(client.packs, kinds: HuntFault.Kind.all(of: layers), knowsDigest: true, seed: 1)
        generator.begin(InterestingPlaces(of: attempt, packs: client.packs), with: [])
        let offsets = InterestingPlaces.offsets(from: 0, upTo: SimulatedClient.pack.size)
        // The host has no byte at the end.
        let wanted = loss == .cut ? offsets.dropLast() : offsets
        let first = wanted.compactMap { _ in generator.next(Corpus())?.faults }
        #expect(first.allSatisfy { $0.map(\.kind) == [loss] })
        #expect(first.flatMap { $0.map(\.offset) }.sorted() == wanted)
        #expect(first[0][0].offset == SimulatedClient.pack.size / 2)
    }

    @Test("only a device can become full") func fillsDevices() {
        let kinds = HuntFault.Kind.all(of: [.client])
        #expect(Set(kinds).subtracting(HuntFault.Kind.all(of: [.client], metNeeds: [.names])) == [.deviceFull])
        let full = HuntFault(.deviceFull, of: SimulatedClient.pack, offset: 500_000)
        #expect(full.lines.map(\.text).last == "device full after=pack:level:500000")
        #expect(!Candidate([full]).isRecoverable)
    }

    @Test("a client that looks up no name is spared faults of names") func leavesNamesAlone() async throws {
        let names: Set<HuntFault.Kind> = [.noName, .lostLookup]
        var client = SimulatedClient { candidate, _ in
            candidate.faults.contains { names.contains($0.kind) } ? .spoilt() : .holds
        }
        #expect(try await Hunt.short(client, attempts: 400).perform().spoilt > 0)
        client.metNeeds.remove(.names)
        #expect(try await Hunt.short(client, attempts: 400).perform().spoilt == 0)
    }

    @Test("failures in a row come between single faults as soon as the client tries again")
    func drawsSeries() async throws {
        let client = SimulatedClient { _, _ in .holds }
        let cut = Candidate([HuntFault(.cut, of: SimulatedClient.pack, offset: 500_000)])
        var places: [InterestingPlaces] = []
        for candidate in [Candidate([]), cut] {
            let attempt = try #require(try await client.play(candidate).attempts.first)
            places.append(InterestingPlaces(of: attempt, packs: client.packs))
        }
        var generator = Generator(
            client.packs, kinds: HuntFault.Kind.allCases, knowsDigest: true, seed: 1)
        generator.begin(places[0], with: [])
        func next(_ count: Int) throws -> [Candidate] {
            try (0..<count).map { _ in
                let candidate = generator.next(Corpus())
                return try #require(candidate)
            }
        }
        #expect(try next(20).allSatisfy { $0.faults.count == 1 })
        generator.queueSecondFaults(after: cut, at: places[1])
        generator.explore(.init(candidate: cut, places: places[1], count: 1))
        let seconds = generator.seconds
        // The client resumes, so each fault of a range comes at once, in turn with others.
        let ofRanges = HuntFault.Kind.allCases.filter(\.row.isOfRange)
        let several = try next(160 + ofRanges.count)
        let first = several.prefix(ofRanges.count * 2 + 1).filter {
            $0.faults.count == 2 && $0.faults[1].kind.row.isOfRange
        }
        #expect(Set(first.map(\.faults[1].kind)) == Set(ofRanges))
        let series = several.filter { $0.faults.count > 1 && !seconds.contains($0) }
        // Every fourth candidate is one; a few of those that are drawn are not fair.
        #expect((35...several.count / 4).contains(series.count))
        #expect(series.allSatisfy { $0.faults.map(\.request) == Array(1...$0.faults.count) })
        let alike = series.filter { Set($0.faults.map(\.kind)).count == 1 }
        #expect(alike.contains { $0.faults.count > 2 } && alike.count < 30)
        #expect(series.contains { $0.faults.last?.demand != .retries })
    }

    @Test("pairs for a client of ranges are at named ranges, and one kind comes at two of them")
    func pairsRanges() {
        let pack = SimulatedClient.pack
        var conduct = ConductRecord(isCommand: true)
        conduct.fetches = [Int64(0), 500_000].enumerated().map { index, from in
            var fetch = ConductRecord.Fetch(
                pack.identifier, number: index + 1, began: 0, ended: 1, askedFrom: from, answeredFrom: from,
                status: 206, bytes: 500_000)
            fetch.numberOfRange = 1
            return fetch
        }
        let places = InterestingPlaces(of: AttemptRecord(number: 1, seed: Seed(1), conduct: conduct), packs: [pack])
        var generator = Generator([pack], kinds: HuntFault.Kind.all(of: [.host]), knowsDigest: true, seed: 1)
        generator.begin(places, with: [])
        // Between the first single faults, each kind comes at two ranges.
        let alike = generator.queue.suffix(40).filter { $0.faults.count == 2 }.map { $0.faults.map(\.kind) }
        #expect(alike.count == 20 && alike.allSatisfy { $0[0] == $0[1] } && Set(alike).count == 20)
        var pairs: [Candidate] = []
        while let candidate = generator.next(Corpus()) {
            if candidate.faults.count == 2 { pairs.append(candidate) }
        }
        #expect(pairs.count > 300)
        #expect(pairs.allSatisfy { $0.faults.allSatisfy { $0.pack.rangeStart != nil } })
        let cuts = pairs.filter { $0.faults.map(\.kind) == [.cut, .cut] }
        #expect(cuts.map { Set($0.faults.map(\.pack.rangeStart)) } == [[0, 500_000]])
    }

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
            stage: client, failure: failure, rate: 1 / 6, kinds: Set(HuntFault.Kind.allCases), width: 1,
            progress: InvestigationProgress(), isOverdue: { plays.count > 3 })
        #expect(try await trial.smallest(Candidate(faults)) == Candidate(faults))
        #expect(trial.isCutShort && plays.count <= 10)
    }
}
