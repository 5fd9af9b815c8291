import Hunting
import LinkModel
import Results
import Testing

/// Hunts of simulated clients.
@Suite struct HuntTests {
    struct Bug: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The kinds of the faults that are left, sorted.
        let shows: [HuntFault.Kind]
        let severity: ClientReport.Severity
        let fails: @Sendable (Candidate) -> Bool
    }

    static let bugs = [
        Bug(testDescription: "one fault anywhere", shows: [.notFound], severity: .hangs) { $0.has(.notFound) },
        Bug(testDescription: "one fault in the tail alone", shows: [.cut], severity: .wrongData) {
            $0.has(.cut, 1, .tail)
        },
        Bug(testDescription: "a cut, and a busy host behind it", shows: [.cut, .unavailable], severity: .wrongData) {
            $0.has(.cut) && $0.has(.unavailable, 2)
        },
        Bug(testDescription: "a stall and a new ETag", shows: [.changedETag, .stall], severity: .crashes) {
            $0.has(.stall) && $0.has(.changedETag)
        },
        Bug(
            testDescription: "two lost connections, and a busy host behind them", shows: [.cut, .cut, .unavailable],
            severity: .wrongData
        ) { candidate in
            func isLost(_ request: Int) -> Bool {
                candidate.faults.contains { $0.request == request && $0.kind.row.traits == [.endsEarly] }
            }
            let busy: [HuntFault.Kind] = [.unavailable, .unavailableForAWhile, .internalError, .tooManyRequests]
            return isLost(1) && isLost(2) && busy.contains { candidate.has($0, 3) }
        },
    ]

    @Test("a bug is found, and its faults are reduced to the fewest that show it", arguments: bugs)
    func finds(_ bug: Bug) async throws {
        let client = SimulatedClient { candidate, _ in bug.fails(candidate) ? .fails(bug.severity) : .holds }
        var hunt = Hunt.short(client, attempts: 10_000)
        hunt.untilFound = 1
        let result = try await hunt.perform()
        let found = try #require(result.bugs.first)
        #expect(found.failure.severity == bug.severity)
        #expect(found.candidate.faults.map(\.kind).sorted { $0.rawValue < $1.rawValue } == bug.shows)
        #expect(found.withFaults.cameBack == found.withFaults.plays)
        // Without any one of them the client does not fail.
        for index in found.candidate.faults.indices {
            var fewer = found.candidate.faults
            fewer.remove(at: index)
            #expect(!bug.fails(Candidate(fewer)))
        }
    }

    @Test("a good client has no bugs, however noisy the machine is")
    func findsNoBugInAGoodClient() async throws {
        let client = SimulatedClient { _, number in number.isMultiple(of: 3) ? .spoilt() : .holds }
        let result = try await Hunt.short(client, attempts: 1000).perform()
        #expect(result.bugs.isEmpty && result.unconfirmed.isEmpty)
        #expect(result.attempts == 1000)
    }

    @Test("attempts that the machine spoils each time are counted, and say nothing")
    func countsSpoiltAttempts() async throws {
        let client = SimulatedClient { candidate, _ in candidate.has(.gzip) ? .spoilt(.linkDied) : .holds }
        let result = try await Hunt.short(client, attempts: 500).perform()
        #expect(result.bugs.isEmpty && result.spoilt > 0)
        #expect(result.disturbances == [.linkDied: result.spoilt])
    }

    @Test("a failure that comes back in some plays is kept with its rate")
    func keepsTheRate() async throws {
        let client = SimulatedClient { candidate, number in
            candidate.has(.internalError) && !number.isMultiple(of: 3) ? .fails(.crashes) : .holds
        }
        var hunt = Hunt.short(client)
        hunt.untilFound = 1
        let bug = try #require(try await hunt.perform().bugs.first)
        #expect(bug.candidate.faults.map(\.kind) == [.internalError])
        #expect(bug.withFaults.cameBack < bug.withFaults.plays && bug.withFaults.cameBack > 0)
    }

    @Test("a failure that does not come back is unconfirmed")
    func tellsUnconfirmedApart() async throws {
        let client = SimulatedClient { _, number in number == 40 ? .fails(.wrongData) : .holds }
        let result = try await Hunt.short(client, attempts: 200).perform()
        #expect(result.bugs.isEmpty)
        #expect(result.unconfirmed.map(\.failure.severity) == [.wrongData])
    }

    @Test("two bugs stay apart, the more harmful one first")
    func keepsBugsApart() async throws {
        let client = SimulatedClient { candidate, _ in
            if candidate.has(.gzip) { return .fails(.wrongData) }
            return candidate.has(.noHead) ? .fails(.hangs) : .holds
        }
        let result = try await Hunt.short(client, attempts: 1500).perform()
        #expect(result.bugs.map(\.candidate.faults.first?.kind) == [.gzip, .noHead])
        #expect(result.bugs.allSatisfy { $0.candidate.faults.count == 1 && $0.others > 0 })
    }

    @Test("coverage is counted, and is complete in the end")
    func countsWhatWasTried() async throws {
        var client = SimulatedClient { _, _ in .holds }
        client.triesAgain = false
        let few = try await Hunt.short(client, attempts: 51).perform().coverage
        #expect(few.singlesTried == 50 && few.singles > 100 && few.pairsTried == 0)
        client.triesAgain = true
        let many = try await Hunt.short(client, attempts: 4000).perform().coverage
        #expect(many.singlesTried == many.singles && many.singles == few.singles)
        #expect(many.pairsTried > many.pairs / 2 && many.pairsTried <= many.pairs)
    }

    @Test("a kind whose lines include those of another kind is no separate bug")
    func mergesKindsThatShareALine() async throws {
        let client = SimulatedClient { candidate, _ in
            candidate.has(.cut) || candidate.has(.newEdition) ? .fails(.wrongData) : .holds
        }
        let bugs = try await Hunt.short(client, attempts: 2000).perform().bugs
        #expect(bugs.map { $0.candidate.faults.map(\.kind) } == [[.cut]])
    }

    @Test(
        "a fault of every request is no separate bug if that of one request is enough",
        arguments: [(HuntFault.Kind.redirectLoop, HuntFault.Kind.redirect), (.unavailableForGood, .unavailable)])
    func mergesRepeatedFaults(_ repeated: HuntFault.Kind, _ single: HuntFault.Kind) async throws {
        let client = SimulatedClient { candidate, _ in
            candidate.has(repeated) || candidate.has(single) ? .fails(.wrongData) : .holds
        }
        let bugs = try await Hunt.short(client, attempts: 1000).perform().bugs
        #expect(bugs.map { $0.candidate.faults.map(\.kind) } == [[single]])
    }

    @Test("a conclusion with a `when` of its own is followed by a colon")
    func namesTheFaults() async throws {
        let client = SimulatedClient { candidate, _ in candidate.has(.noHead) ? .fails(.hangs) : .holds }
        let bug = try #require(try await Hunt.short(client, attempts: 1000).perform().bugs.first)
        #expect(
            bug.paragraph == "It does not end in time when request 1 is never answered.")
    }

    @Test("the same seed gives the same hunt, and another seed another one")
    func followsItsSeed() async throws {
        func order(_ seed: UInt64) async throws -> [Candidate] {
            let client = SimulatedClient { _, _ in .holds }
            return try await Hunt.short(client, attempts: 900, seed: seed).perform().corpus.candidates
        }
        let first = try await order(7)
        #expect(try await order(7) == first)
        #expect(try await order(8) != first)
    }

    @Test("layers that are not asked for are left alone", arguments: HuntFault.Layer.allCases)
    func keepsToLayers(_ layer: HuntFault.Layer) async throws {
        let client = SimulatedClient { candidate, _ in
            candidate.faults.allSatisfy { $0.kind.row.layer == layer } ? .holds : .fails(.crashes)
        }
        var hunt = Hunt.short(client, attempts: 300)
        hunt.layers = [layer]
        #expect(try await hunt.perform().bugs.isEmpty)
    }

    @Test("a client that fails without faults is not hunted")
    func refusesBrokenClients() async {
        let client = SimulatedClient { _, _ in .fails(.crashes) }
        await #expect(throws: HuntError.self) { try await Hunt.short(client).perform() }
        #expect(client.plays.count == 1)
    }

    @Test("a hunt that is interrupted keeps the bugs that it has found")
    func keepsWhatWasFound() async throws {
        let (stream, found) = AsyncStream.makeStream(of: Void.self)
        let client = SimulatedClient { candidate, _ in candidate.has(.portal) ? .fails(.wrongData) : .holds }
        var hunt = Hunt.short(client, attempts: 1_000_000)
        hunt.report = { if $0.bugs > 0 { found.finish() } }
        let running = Task { [hunt] in try await hunt.perform() }
        for await _ in stream {}
        running.cancel()
        let result = try await running.value
        #expect(result.isInterrupted && result.bugs.count == 1)
    }

    @Test("a hunt begins with the corpus of an earlier one")
    func takesUpACorpus() async throws {
        let deep = Candidate([
            HuntFault(.cut, of: SimulatedClient.pack, offset: 999_000),
            HuntFault(.internalError, of: SimulatedClient.pack, request: 2),
        ])
        let client = SimulatedClient { candidate, _ in candidate.covers(deep) ? .fails(.wrongData) : .holds }
        var hunt = Hunt.short(client)
        hunt.untilFound = 1
        let stored = StoredCorpus([deep]).candidates(of: client.packs)
        let bug = try #require(try await hunt.perform(kept: stored).bugs.first)
        #expect(bug.foundAt < 20)
    }

    @Test("a hunt knows which of the packs the client requests")
    func knowsRequestedPacks() async throws {
        var client = SimulatedClient { _, _ in .holds }
        client.packs.append(HuntPack(identifier: "other", path: "/other.bin", size: 1000))
        #expect(try await Hunt.short(client, attempts: 20).perform().fetched == ["level"])
    }

    @Test("a hunt in which no fault happens shows nothing about the client")
    func needsFaultsThatHappen() async throws {
        let client = SimulatedClient { candidate, _ in candidate.faults.isEmpty ? .holds : .misses }
        let result = try await Hunt.short(client, attempts: 50).perform()
        let report = HuntReport(result, seed: 1, knowsDigest: true, metNeeds: [])
        #expect(report.attempts > 1 && report.triedNothing && report.exitCode == 75)
    }

    @Test("a client that fails now and then by itself has no bug", arguments: [0.5, 0.1])
    func doesNotBlameFaults(share: Double) async throws {
        let client = SimulatedClient { _, number in
            var random = SeededGenerator(seed: UInt64(number))
            return number > 0 && Double.random(in: 0..<1, using: &random) < share ? .fails(.crashes) : .holds
        }
        let result = try await Hunt.short(client, attempts: 2000).perform()
        #expect(result.bugs.isEmpty)
        #expect(result.unconfirmed.contains { $0.withoutFaults.cameBack > 0 })
        #expect(result.unconfirmed.allSatisfy { !$0.candidate.faults.isEmpty })
    }

    @Test("without time to reduce faults a bug is reported as it was found, and a failure without faults is not")
    func reportsWhatTimeAllows() async throws {
        // Three hours pass in a hunt of one hour, while the first failure is compared with attempts without faults.
        func hunted(_ fails: @escaping @Sendable (Candidate) -> Bool) async throws -> HuntResult {
            let quiet = SimulatedClient.Counter()
            let client = SimulatedClient { candidate, number in
                if candidate.faults.isEmpty { _ = quiet.next() }
                return number > 0 && fails(candidate) ? .fails(.wrongData) : .holds
            }
            var hunt = Hunt.short(client, attempts: 10_000)
            let start = ContinuousClock.now
            hunt.now = { quiet.count > 1 ? start + .seconds(3 * 3600) : start }
            return try await hunt.perform()
        }
        let needs: @Sendable (Candidate) -> Bool = { $0.has(.cut) && $0.has(.unavailable, 2) }
        let bug = try #require(try await hunted(needs).bugs.first)
        #expect(!bug.isReduced && needs(bug.candidate) && bug.candidate.faults.count == bug.foundWith)
        let flaky = try await hunted { _ in true }
        #expect(flaky.bugs.isEmpty && flaky.unconfirmed.map(\.withFaults.cameBack) == [4])
    }

    @Test("failures that do not come back do not hide a later one that does")
    func flakesHideNothing() async throws {
        // The first few failures of this severity are flakes.
        let client = SimulatedClient { candidate, number in
            if candidate.has(.portal, 1) { return .fails(.crashes) }
            return [3, 10, 17, 24].contains(number) ? .fails(.crashes) : .holds
        }
        let result = try await Hunt.short(client, attempts: 600).perform()
        #expect(result.bugs.map(\.candidate.faults.first?.kind) == [.portal])
    }

    @Test("a corpus keeps the candidates of an earlier hunt, and a hunt begins with those of its layers")
    func keepsEarlierCorpora() async throws {
        let cut = Candidate([HuntFault(.cut, of: SimulatedClient.pack, offset: 5)])
        let lost = Candidate([HuntFault(.lostPacket, of: SimulatedClient.pack, offset: 5)])
        let merged = StoredCorpus([cut], beside: StoredCorpus([cut, lost]))
        #expect(merged.candidates(of: [SimulatedClient.pack]) == [cut, lost])
        let client = SimulatedClient { candidate, _ in
            candidate.faults.contains { $0.kind.row.layer != .host } ? .fails(.crashes) : .holds
        }
        var hunt = Hunt.short(client, attempts: 50)
        hunt.layers = [.host]
        #expect(try await hunt.perform(kept: [lost]).bugs.isEmpty)
    }
}
