import Testing

@testable import History
@testable import Results
@testable import headwind

/// How a history is printed.
@Suite struct HistoryTextTests {
    private static func series(_ medians: [Double?], cell: String = "tunnel", isWorse: Bool = true) -> HistorySeries {
        let host = HostFacts(system: "Debian", kernel: "6.1", architecture: "x86_64", processors: 2)
        let link = LinkFacts(profile: "3g", backend: "packet", fidelity: "packet")
        return HistorySeries(
            cell: cell, metric: .timeToAvailable, unit: .seconds,
            fingerprint: Fingerprint(
                host: host, toolVersion: "1", link: link, profileDigest: nil, scenarioDigest: nil, client: "c"),
            points: medians.enumerated().map {
                .init(
                    run: Int64($0.offset + 1), startedAt: "2026-11-22", verdict: "pass", median: $0.element, attempts: 5
                )
            },
            changes: [
                .init(run: 2, startedAt: "2026-11-22", before: 1, after: 2, changeRatio: 1, isWorse: isWorse)
            ])
    }

    @Test func barsGoFromTheLeastToTheLargest() {
        #expect(HistoryText.sparkline([1, 2, 3, 8, nil]) == "▁▂▃█×")
        #expect(HistoryText.sparkline([3, 3]) == "▁▁")
        #expect(HistoryText.sparkline([-1e308, 0, 1e308, .leastNonzeroMagnitude]) == "▁▅█▅")
        #expect(HistoryText.sparkline([nil, nil]) == "××" && HistoryText.sparkline([]).isEmpty)
    }

    @Test func aSeriesAndItsChangeHaveALineEach() {
        let text = HistoryText([Self.series([1, 2, nil])]).text
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0] == "tunnel  (Debian, 6.1, x86_64, 2 processors, packet, headwind 1)")
        #expect(lines[1] == "  time_to_available          ▁█×  never last, 1 s to 2 s in 3 runs")
        #expect(lines[2] == "    worse from 2026-11-22 on, run 2: 1 s to 2 s (+100 %)")
        #expect(HistoryText([Self.series([1, 1])]).text.contains("the same in every run: time_to_available 1 s"))
    }

    @Test func csvHasNoFormulas() {
        let csv = HistoryText([Self.series([1.5], cell: "=cmd, \"x\"\u{1B}[2J\n")]).csv
        let lines = csv.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        #expect(lines[1].hasPrefix("\"'=cmd, \"\"x\"\"[2J \",time_to_available,seconds,"))
        #expect(lines[1].hasSuffix(",1,2026-11-22,pass,1.5,5,"))
    }
}
