import Testing

@testable import Results

/// The advice on failures that no known bug explains: what a good client does.
@Suite("Advice on failures without a diagnosis")
struct AdviceTests {
    /// A cell of a command, or of a client with requests.
    ///
    /// Its attempts have no record of conduct, so no bug explains it.
    private static func cell(
        expect: String? = "available", words: [ConductExpectation] = [], budget: String? = nil,
        _ change: (inout AttemptRecord) -> Void
    ) throws -> CellResult {
        let parts = budget?.split(separator: ":", maxSplits: 1).map(String.init)
        let budgets = try parts.map { [try Budget(key: $0[0], text: String($0[1].dropFirst()))] } ?? []
        let expectation = try expect.map { RequestExpectation(try Results.Expectation($0)) }
        var attempt = AttemptRecord(number: 1, seed: 1)
        change(&attempt)
        return CellResult(
            scenario: "s", link: LinkFacts(profile: "3g", backend: "packet", fidelity: "packet"),
            plan: CellPlan(
                expectations: expectation.map { [$0] } ?? [], conduct: words, budgets: budgets, attempts: 1,
                maximumAttempts: 1),
            attempts: [attempt], startedAt: "2026-11-21T04:00:00Z", durationSeconds: 1)
    }

    private static func end(
        _ result: RequestOutcome.Result, id: String = "command", at seconds: Double = 4, code: Int = 22
    ) -> [RequestOutcome] {
        let isError = result == .error
        return [
            .init(
                id: id, result: result, seconds: result == .noCallback ? nil : seconds, domain: isError ? "exit" : nil,
                code: isError ? code : nil)
        ]
    }

    @Test("on an expectation: depends on the expected and the actual outcome")
    func expectations() throws {
        let gaveUp = try Self.cell { $0.requests = Self.end(.error) }
        #expect(gaveUp.advice.count == 1 && gaveUp.advice[0].hasPrefix("Retry temporary failures"))
        #expect(gaveUp.advice[0].hasSuffix("(RFC 9110 sections 10.2.3, 14.2 and 15.6)."))
        let misspelt = try Self.cell {
            $0.requests = Self.end(.error)
            $0.conduct = ConductRecord(isCommand: true, endedSeconds: 0.1, fetches: [])
            $0.conduct?.lastSignSeconds = 0.002
        }
        #expect(misspelt.advice.map { $0.hasPrefix("Connect to the host. This client never did") } == [true])
        let isSlowlyFound = try Self.cell {
            $0.requests = Self.end(.error)
            $0.conduct = ConductRecord(isCommand: true, endedSeconds: 1, fetches: [])
            $0.conduct?.lookupDelaySeconds = 1
        }
        #expect(isSlowlyFound.advice == gaveUp.advice)
        let claimed = try Self.cell(expect: "error within 9 s") { $0.requests = Self.end(.available) }
        #expect(claimed.advice.map { $0.hasPrefix("Exit with a status other than 0") } == [true])
        let untold = try Self.cell(expect: "error") { $0.requests = Self.end(.available, id: "r1") }
        #expect(untold.advice.map { $0.hasPrefix("Call back exactly once for each request") } == [true])
        // Nobody knows whether a late client was idle for long, and no pause between tries mends a wrong pack.
        let late = try Self.cell(expect: "error within 2 s") { $0.requests = Self.end(.error) }
        #expect(late.advice.isEmpty)
        let foreign = try Self.cell {
            $0.requests = Self.end(.error, id: "r1", code: -1016)
            $0.requests[0].domain = "NSURLErrorDomain"
        }
        #expect(foreign.advice.isEmpty)
        let other = try Self.cell(expect: "error exit 7") { $0.requests = Self.end(.error) }
        #expect(other.advice.first?.hasPrefix("Report the documented error") == true)
    }

    @Test("a client that waits through an outage is advised to connect again, with the time that the wait cost")
    func outageWaitedThrough() throws {
        func late(_ outages: [ConductRecord.Outage]) throws -> CellResult {
            try Self.cell(budget: "time_to_available: max <= 5 s") { attempt in
                attempt.requests = Self.end(.available, at: 33)
                attempt.samples[.timeToAvailable] = .value(33)
                attempt.samples[.timeToFirstByte] = .value(0.5)
                (attempt.ideal[.timeToAvailable], attempt.ideal[.timeToFirstByte]) = (2, 0.4)
                var conduct = ConductRecord(isCommand: true)
                conduct.fetches = [
                    .init(
                        "level", number: 1, began: 0.3, ended: 32.9, askedFrom: 0, answeredFrom: 0, status: 200,
                        bytes: 1000, isWhole: true)
                ]
                conduct.outages = outages
                attempt.conduct = conduct
            }
        }
        let advice = try late([.init("silent", from: 2, until: 17)]).advice
        let waited = try #require(advice.first)
        #expect(advice.count == 1 && waited.hasPrefix("Limit the time without bytes to a few seconds"), "\(advice)")
        #expect(waited.contains("the link was out for 15 s"), "\(waited)")
        #expect(waited.contains("ended 15.9 s after the link was back"), "\(waited)")
        for others in [[], [.init("cut", from: 2, until: 17)], [ConductRecord.Outage("silent", from: 33, until: nil)]] {
            #expect(try late(others).advice.map { $0.hasPrefix("Keep a connection busy") } == [true])
        }
    }

    @Test("a late client is not advised as if it had given up or been silent")
    func lateSuccess() throws {
        let late = try Self.cell(expect: "available within 2 s") { $0.requests = Self.end(.available) }
        #expect(late.advice.map { $0.hasPrefix("Start at once") } == [true])
    }

    @Test(
        "on time beyond the ideal: depends on where most of it was spent",
        arguments: [(1.25, "Request the first byte at once"), (0.7, "Keep a")])
    func slowness(firstByte: Double, advice: String) throws {
        let slow = try Self.cell(budget: "time_to_available: max <= 7.5 s") {
            $0.requests = Self.end(.available, at: 7.7)
            $0.samples[.timeToAvailable] = .value(7.7)
            $0.samples[.timeToFirstByte] = .value(firstByte)
            $0.ideal = [.timeToAvailable: 7.05, .timeToFirstByte: 0.625]
        }
        #expect(slow.advice.count == 1 && slow.advice[0].hasPrefix(advice), "\(slow.advice)")
        #expect(
            slow.advice[0].contains(
                "\(firstByte > 1 ? 625 : 575) ms of the time beyond ideal passed \(firstByte > 1 ? "before" : "after")"),
            "\(slow.advice)")
    }

    @Test("on findings: content, crashes and hangs come first")
    func findings() throws {
        let wrong = try Self.cell {
            $0.requests = Self.end(.available)
            $0.findings = [Finding(.contentWrong, "'p' is another")]
        }
        #expect(wrong.advice.map { $0.hasPrefix("Check the size and hash") } == [true])
        let hung = try Self.cell(expect: "error within 3 s") {
            $0.requests = Self.end(.noCallback)
            $0.clientEnd = ClientEnd(signal: 9, wasStopped: true)
            $0.findings = [Finding(.clientHung, "")]
        }
        #expect(hung.advice.map { $0.hasPrefix("Limit the idle time") } == [true])
        let budget = try Self.cell(expect: nil, budget: "requests: max <= 9") {
            $0.requests = Self.end(.error)
            $0.samples[.requests] = .value(1)
        }
        #expect(budget.advice.map { $0.hasPrefix("Retry temporary failures") } == [true])
    }

    @Test("on a budget: depends on its metric, and is missing if nothing general helps")
    func budgets() throws {
        func advice(_ budget: String, _ metric: Metric, _ value: Double) throws -> [String] {
            let cell = try Self.cell(budget: budget) {
                $0.requests = Self.end(.available)
                $0.samples[metric] = .value(value)
            }
            #expect(cell.verdict == .fail)
            return cell.advice
        }
        let slow = try advice("time_to_available: max <= 1 s", .timeToAvailable, 4)
        #expect(
            slow.map { $0.hasPrefix("Start at once") && $0.hasSuffix("(RFC 9112 section 9.3; RFC 5681 section 3.1).") }
                == [true])
        let twice = try advice("redundant_bytes: max <= 1 kB", .redundantBytes, 4000)
        #expect(twice.map { $0.hasPrefix("Request only what is missing") } == [true])
        let large = try advice("memory_peak: max <= 1 MB", .memoryPeak, 4e9)
        #expect(large.map { $0.hasPrefix("Write data to the file as it arrives") } == [true])
        #expect(try advice("cpu_time: max <= 1 s", .cpuTime, 4).isEmpty)
    }

    @Test("not on a moment that was never reached because the download failed")
    func consequence() throws {
        let prefixes = ["Retry temporary failures", "Start at once"]
        for (expect, advice) in [("available", 0..<1), (nil, 1..<2)] as [(String?, Range<Int>)] {
            let cell = try Self.cell(expect: expect, budget: "time_to_available: max <= 1 s") {
                $0.requests = Self.end(.error)
                $0.samples[.timeToAvailable] = .neverCame
            }
            #expect(cell.checks.allSatisfy { $0.verdict == .fail })
            #expect(zip(cell.advice, prefixes[advice]).allSatisfy { $0.hasPrefix($1) }, "\(cell.advice)")
            #expect(cell.advice.count == 1)
        }
        // A value that was measured is a failure of its own.
        let late = try Self.cell(budget: "redundant_bytes: max <= 1 kB") {
            $0.requests = Self.end(.error)
            $0.samples[.redundantBytes] = .value(4000)
        }
        #expect(late.advice.count == 2, "\(late.advice)")
    }

    @Test("none on checks that hold or do not count, nor on failures that a bug explains")
    func none() throws {
        #expect(try Self.cell { $0.requests = Self.end(.available) }.advice.isEmpty)
        var failed = try Self.cell { $0.requests = Self.end(.error) }
        failed.checks[0].gating = .advisory
        failed.findings = []
        #expect(failed.advice.isEmpty)
        failed.checks[0].gating = nil
        #expect(failed.advice.count == 1)
        failed.diagnoses = [BugDiagnosis(.noResume, attempt: 1, "")]
        #expect(failed.advice.isEmpty)
    }
}
