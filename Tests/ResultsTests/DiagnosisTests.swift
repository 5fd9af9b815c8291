import Testing

@testable import Results

/// A hand-made attempt that failed, and the bugs that explain it.
struct DiagnosisCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bugs: [ClientBug]
    var plan: CellPlan
    var attempt: AttemptRecord

    /// An attempt of a command, or of a client with requests, which downloads a pack `p` of 100,000 B.
    init(
        _ name: String, _ bugs: ClientBug..., isCommand: Bool = false, isTold: Bool = true,
        expect: String = "available", words: [ConductExpectation] = [], budgets: [String] = [],
        _ change: (inout AttemptRecord) -> Void
    ) {
        (testDescription, self.bugs) = (name, bugs)
        let limits = budgets.compactMap { text -> Budget? in
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            return try? Budget(key: parts[0], text: String(parts[1].drop { $0 == " " }))
        }
        precondition(limits.count == budgets.count, "a budget of a case is none")
        let expectation = try? RequestExpectation(Results.Expectation(expect))
        plan = CellPlan(
            expectations: expectation.map { [$0] } ?? [], conduct: words, budgets: limits, attempts: 1,
            maximumAttempts: 1)
        var conduct = ConductRecord(
            isCommand: isCommand, startedNanoseconds: 1_000_000_000, endedSeconds: 5, patienceSeconds: 1,
            packs: [.init("p", name: "level", bytes: 100_000, requests: 1)], fetches: [])
        conduct.isPatienceTold = isTold
        if !isCommand { (conduct.notifications, conduct.purges, conduct.afterCancel) = ([], [], []) }
        attempt = AttemptRecord(number: 1, seed: Seed(1), conduct: conduct)
        change(&attempt)
    }
}

extension AttemptRecord {
    /// Sets the attempt's requests to the host.
    mutating func fetch(_ fetches: ConductRecord.Fetch...) {
        conduct?.fetches = fetches
        conduct?.packs = Dictionary(grouping: fetches, by: \.pack).sorted { $0.key < $1.key }.map {
            .init($0.key, name: $0.key == "p" ? "level" : $0.key, bytes: 100_000, requests: $0.value.count)
        }
    }

    /// Makes the packs a hundred times as large, with everything that depends on their size.
    mutating func enlarge() {
        let packs = conduct?.packs?.map {
            ConductRecord.Pack($0.pack, name: $0.name, bytes: 100 * $0.bytes, requests: $0.requests)
        }
        let fetches = conduct?.fetches?.map { fetch in
            var fetch = fetch
            fetch.askedFrom = fetch.askedFrom.map { 100 * $0 }
            (fetch.answeredFrom, fetch.bytes) = (100 * fetch.answeredFrom, 100 * fetch.bytes)
            return fetch
        }
        conduct?.packs = packs
        conduct?.fetches = fetches
        if let bytes = samples[.redundantBytes].value { samples.set(.redundantBytes, 100 * bytes) }
    }

    /// Sets the outcome of the command, or of a request for `p`.
    mutating func end(
        _ result: RequestOutcome.Result, id: String = "r1", at seconds: Double = 4, code: Int? = nil,
        class errorClass: ErrorClass? = .network, packs: [String] = ["p"],
        _ change: (inout ConductRecord.Request) -> Void = { _ in }
    ) {
        let isCommand = conduct?.isCommand == true
        let domain = isCommand ? "exit" : errorClass == .network ? "NSURLErrorDomain" : "NSCocoaErrorDomain"
        requests.append(
            .init(
                id: isCommand ? "command" : id, result: result, seconds: result == .noCallback ? nil : seconds,
                domain: result == .error ? domain : nil, code: code ?? (result == .error ? 1 : nil),
                errorClass: result == .error && !isCommand ? errorClass : nil))
        guard !isCommand else { return }
        var request = ConductRecord.Request(
            id, began: 0, calledBack: result == .noCallback ? nil : seconds, isAvailable: result == .available,
            packs: packs)
        change(&request)
        let before = conduct?.requests ?? []
        conduct?.requests = before + [request]
    }

    /// Leaves a file that is wrong from the byte `wrongByte` on.
    mutating func leave(bytes: Int64, wrongByte: Int64) {
        conduct?.files = [.init("p", pack: "p", bytes: bytes, problem: "is another", wrongByte: wrongByte)]
        findings.append(Finding(.contentWrong, "'p' is another"))
    }
}

extension ConductRecord.Fetch {
    /// A response with a part of `p`, or with all of it.
    ///
    /// Unless `began` is given, requests begin one second apart.
    static func part(
        _ number: Int, of pack: String = "p", from: Int64 = 0, bytes: Int64 = 100_000, asked: Int64? = nil,
        status: Int? = nil, at began: Double? = nil, lasting seconds: Double = 0.5, end: End = .complete,
        faults: [String] = [], retryAfter: Double? = nil
    ) -> Self {
        let start = began ?? Double(number) - 1
        let isGood = status.map { $0 < 300 } ?? true
        return .init(
            pack, number: number, nanoseconds: 1_000_000_000 + Int64(start * 1e9), began: start,
            lastByte: isGood && bytes > 0 ? start + seconds : nil, ended: start + seconds, end: end,
            askedFrom: asked ?? from, answeredFrom: from, status: status ?? (from > 0 ? 206 : 200), bytes: bytes,
            isWhole: end == .complete, faults: faults, retryAfter: retryAfter)
    }
}

/// Every bug is diagnosed from its evidence, and no good client is accused.
@Suite("BugDiagnosis: which bug explains a failure")
struct DiagnosisTests {
    static let caught: [DiagnosisCase] =
        DiagnosisCase.content + DiagnosisCase.resuming + DiagnosisCase.waiting + DiagnosisCase.tries
        + DiagnosisCase.device + DiagnosisCase.leaving + DiagnosisCase.progress + DiagnosisCase.endings
        + DiagnosisCase.bars + DiagnosisCase.outcomes + DiagnosisCase.redirected + DiagnosisCase.framed
        + DiagnosisCase.more + DiagnosisCase.keptFiles + DiagnosisCase.costly + DiagnosisCase.addressed
        + DiagnosisCase.startedTwice

    static let right: [DiagnosisCase] =
        DiagnosisCase.good + DiagnosisCase.goodLeaving + DiagnosisCase.goodOutcomes + DiagnosisCase.rightlyRedirected
        + DiagnosisCase.rightlyFramed

    @Test("explains this failure", arguments: caught + right)
    func made(_ test: DiagnosisCase) {
        let judgement = test.plan.judge([test.attempt])
        #expect(judgement.verdict == .fail, "\(judgement.checks.map(\.sentence))")
        #expect(judgement.diagnoses.map(\.bug) == test.bugs, "\(judgement.diagnoses.map(\.detail))")
        for diagnosis in judgement.diagnoses {
            #expect(diagnosis.attempt == 1 && !diagnosis.detail.isEmpty && !diagnosis.detail.hasSuffix("."))
            #expect(diagnosis.seconds.map { $0 >= 0 } ?? true)
        }
    }

    @Test("there is a case of each bug, and each bug's texts are sentences")
    func complete() {
        #expect(Set(Self.caught.flatMap(\.bugs)) == Set(ClientBug.allCases))
        #expect(ClientBug.allCases.count == 58)
        for bug in ClientBug.allCases {
            #expect(bug.row.sentence.hasSuffix(".") && bug.row.advice.hasSuffix(".") && !bug.row.source.isEmpty)
            #expect(bug.rawValue.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" })
        }
        #expect(Set(ClientBug.allCases.map(\.row.sentence)).count == ClientBug.allCases.count)
        #expect(Set(ClientBug.allCases.map(\.row.advice)).count == ClientBug.allCases.count)
    }

    @Test("no bug is diagnosed if nothing failed, or if the attempt shows nothing about the client", arguments: caught)
    func onlyOfFailures(_ test: DiagnosisCase) {
        var attempt = test.attempt
        attempt.findings.append(Finding(.hostDied, "signal 9"))
        #expect(test.plan.judge([attempt]).diagnoses.isEmpty)
        attempt = test.attempt
        attempt.counts = false
        #expect(test.plan.judge([attempt]).diagnoses.isEmpty)
        attempt = test.attempt
        attempt.conduct = nil
        #expect(test.plan.judge([attempt]).diagnoses.isEmpty)
        // A passing attempt is not diagnosed.
        attempt = test.attempt
        (attempt.findings, attempt.requests) = ([], [.init(id: "r1", result: .available, seconds: 1)])
        let plan = CellPlan(expectations: [RequestExpectation(.available())], attempts: 1)
        #expect(plan.judge([attempt]).diagnoses.isEmpty)
    }

    static let losses: [(outages: [ConductRecord.Outage], end: Double, sentence: String)] = [
        (
            [.init("no-route", from: 0.3, until: 0.6)], 0.64,
            "the link was lost once for 300 ms, and 'r1' ended in an error 40 ms after it was back, with a patience of 1 s"
        ),
        (
            [.init("silent", from: 0.3, until: 0.4), .init("silent", from: 0.5, until: 0.5)], 0.5,
            "the link was lost 2 times, the last time for less than 1 ms, and 'r1' ended in an error less than 1 ms after it was back, with a patience of 1 s"
        ),
        (
            [.init("cut", from: 0.3, until: 0.3)], 0.34,
            "connections were cut once, and 'r1' ended in an error 40 ms after that, with a patience of 1 s"
        ),
        (
            [.init("cut", from: 0.3, until: 0.3), .init("cut", from: 1, until: 1)], 1.25,
            "connections were cut 2 times, and 'r1' ended in an error 250 ms after the last time, with a patience of 1 s"
        ),
        (
            [.init("cut", from: 0.3, until: 0.3), .init("refused", from: 1, until: 1.5)], 2,
            "the link was lost once and connections were cut once, the last time for 500 ms, and 'r1' ended in an error 500 ms after it was back, with a patience of 1 s"
        ),
        (
            [.init("no-route", from: 0.5, until: nil)], 0.5001,
            "the link was lost once, and 'r1' ended in an error less than 1 ms after that, with a patience of 1 s"
        ),
        (
            [.init("silent", from: 0.2, until: 0.3), .init("no-route", from: 0.5, until: 2)], 0.75,
            "the link was lost 2 times, and 'r1' ended in an error 250 ms after the last time, with a patience of 1 s"
        ),
    ]

    @Test("a loss of the link is described by its number and length, or as just begun", arguments: losses)
    func loss(_ row: (outages: [ConductRecord.Outage], end: Double, sentence: String)) throws {
        let test = DiagnosisCase("gives up", .breaksOnFlapping) {
            $0.fetch(.part(1, bytes: 20_000, lasting: 0.3, end: .client))
            $0.conduct?.outages = row.outages
            $0.end(.error, at: row.end, code: -1005)
        }
        #expect(test.plan.judge([test.attempt]).diagnoses.map(\.detail) == [row.sentence])
    }

    @Test("a result has the diagnosis as JSON, with its time and place")
    func json() throws {
        let test = try #require(DiagnosisCase.resuming.first)
        let cell = CellResult(
            scenario: "s", link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"), plan: test.plan,
            attempts: [test.attempt], startedAt: "2026-11-21T04:00:00Z", durationSeconds: 1)
        let diagnosis = try #require(cell.diagnoses?.first)
        #expect(diagnosis.pack == "p" && diagnosis.nanoseconds == 2_000_000_000 && diagnosis.byte == 40_000)
        #expect(diagnosis.moment == "1 s after the client's start")
        #expect(diagnosis.event == "events.jsonl, attempt 1, \"t\":2000000000")
        let run = RunResult(
            toolVersion: "1", commandLine: [], seed: 1,
            host: HostFacts(
                system: "", kernel: "", architecture: "",
                processors: 1, memoryBytes: 1, versions: [:]), startedAt: "", durationSeconds: 1, cells: [cell])
        #expect(try RunResult(json: run.json()).cells[0].diagnoses == cell.diagnoses)
        #expect(String(decoding: try run.json(), as: UTF8.self).contains("\"bug\" : \"\(diagnosis.bug.rawValue)\""))
    }
}
