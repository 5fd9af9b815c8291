import Foundation
import Results
import Testing

@testable import Hunting

/// The machine-readable report of a hunt.
@Suite struct HuntReportTests {
    @Test("the page about hunts documents each key of the file, and no other")
    func documentsItsKeys() async throws {
        let client = SimulatedClient { candidate, number in
            if number == 20 { return .fails(.hangs) }
            return candidate.has(.gzip) ? .fails(.crashes) : .holds
        }
        let result = try await Hunt.short(client, attempts: 600).perform()
        var report = HuntReport(result, seed: 1, knowsDigest: true, metNeeds: [])
        try #require(report.bugs.count == 1 && report.unconfirmed.count == 1)
        (report.bugs[0].bug, report.bugs[0].scenario, report.bugs[0].page) = (.keepsEncodedBytes, "", "")
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        let page = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../docs/reference/hunts.md").standardized,
            encoding: .utf8)
        let rows = page.components(separatedBy: "## `hunt.json`")[1].split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
        let documented = rows.flatMap { $0.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) } }
        #expect(Set(documented) == Set(json.matches(of: /"(\w+)":/).map { String($0.1) }))
        let (bug, interval) = (report.bugs[0], result.bugs[0].interval)
        #expect(interval == Statistics.wilson(successes: bug.cameBack, trials: bug.plays) && interval != nil)
        #expect(bug.intervalLower == interval?.lowerBound && bug.intervalUpper == interval?.upperBound)
        #expect(bug.cameBackWithout == 0 && bug.playsWithout > 0)
    }

    @Test("a failure that is compared with attempts without faults keeps its schedule, and has its rate without faults")
    func tellsTheRateWithoutFaults() async throws {
        let failing = SimulatedClient { _, _ in .fails(.crashes) }
        let failure = try #require(HuntFailure(of: try await failing.play(Candidate([]))))
        let fault = HuntFault(.gzip, of: SimulatedClient.pack)
        let open = UnconfirmedFailure(
            failure: failure, candidate: Candidate([fault]), withFaults: PlayCount(cameBack: 2, plays: 12))
        var compared = open
        compared.withoutFaults = PlayCount(cameBack: 3, plays: 12)
        let result = HuntResult(
            bugs: [], unconfirmed: [open, compared], attempts: 36, seconds: 1, corpus: Corpus(), isInterrupted: false)
        let failures = HuntReport(result, seed: 1, knowsDigest: true, metNeeds: []).unconfirmed
        #expect(failures.map(\.schedule) == [fault.lines.map(\.text), fault.lines.map(\.text)])
        #expect(failures.map(\.cameBackWithout) == [nil, 3] && failures.map(\.playsWithout) == [nil, 12])
    }

    @Test("a hunt that had time only for faults of an earlier hunt has tried something", arguments: [true, false])
    func countsEarlierFaults(happens: Bool) async throws {
        let client = SimulatedClient { candidate, _ in candidate.faults.isEmpty || happens ? .holds : .misses }
        // No single fault is at this byte.
        let kept = Candidate([HuntFault(.cut, of: SimulatedClient.pack, offset: 5)])
        let result = try await Hunt.short(client, attempts: 2).perform(kept: [kept])
        let report = HuntReport(result, seed: 1, knowsDigest: true, metNeeds: [])
        #expect(report.attempts == 2 && report.coverage.happened == (happens ? 1 : 0))
        #expect(report.triedNothing == !happens && report.exitCode == (happens ? 0 : 75))
    }
}
