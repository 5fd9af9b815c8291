import Reports
import Results
import Testing

@Suite("OpenMetrics")
struct OpenMetricsTests {
    private static let reader = """
        import sys
        from prometheus_client.openmetrics.parser import text_string_to_metric_families as read
        for family in read(sys.stdin.read()):
            for sample in family.samples:
                labels = " ".join("%s=%r" % pair for pair in sorted(sample.labels.items()))
                print(family.type, family.unit or "-", sample.name, labels, float(sample.value))
        """

    private func read(_ run: RunResult) throws -> [String] {
        let text = try ReportFormat.openmetrics.render(run)
        let answer = try SecondOpinion.python(importing: "prometheus_client", Self.reader, input: text)
        return answer.split(separator: "\n").map(String.init)
    }

    @Test("the Prometheus parser reads it, with units, labels and numbers")
    func foreignReader() throws {
        let lines = try read(SampleRun.mixed())
        #expect(
            lines.contains(
                "gauge seconds headwind_time_to_available_seconds profile='3g' scenario='level 2' stat='median' 40.0"))
        #expect(lines.contains("gauge bytes headwind_redundant_bytes profile='3g' scenario='level 2' stat='max' 0.0"))
        #expect(lines.contains("counter - headwind_attempts_total profile='edge' scenario='level 2' 5.0"))
        #expect(lines.contains("gauge - headwind_cells verdict='fail' 1.0"))
        // Measurements while the host was dead are not metrics of the client.
        #expect(!lines.contains { $0.contains("time_to_available") && $0.contains("lte") })
        #expect(Set(lines.map { $0.split(separator: " ").dropLast().joined(separator: " ") }).count == lines.count)
    }

    @Test("names and labels may have any text, and no series is repeated")
    func hostile() throws {
        var run = try SampleRun.hostileRun()
        var other = run.cells[0]
        other.point += [.init(axis: SampleRun.hostile, value: "2"), .init(axis: "__stat", value: "\\\"x\n")]
        run.cells += [run.cells[0], run.cells[0], other]
        let lines = try read(run)
        let codes = lines.filter { $0.contains("headwind_cell_exit_code") }
        #expect(codes.count == 4)
        #expect(codes.contains { $0.contains("cell='3'") } && codes.contains { $0.contains("axis__stat='\\\\\"x '") })
    }

    @Test("a moment that was never reached is +Inf, and an unknown one is NaN")
    func missing() throws {
        let never = try SampleRun.cell("never", seconds: [41, 42, 43, 44, 45], limit: "max <= 60 s") { attempt in
            if attempt.number > 2 { attempt.samples[.timeToAvailable] = .neverCame }
        }
        let unknown = try SampleRun.cell("unknown", seconds: [41, 42, 43, 44, 45], limit: "max <= 60 s") { attempt in
            if attempt.number == 2 { attempt.samples[.timeToAvailable] = .unknown }
        }
        let lines = try read(SampleRun.run([never, unknown])).filter { $0.contains("time_to_available") }
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("profile='never'") && $0.hasSuffix(" inf") })
    }

    @Test("a time from the first packet does not replace the time from the begin")
    func origins() throws {
        var cell = try SampleRun.cell("3g", seconds: [41, 42, 43, 44, 45], limit: "median <= 60 s")
        let place = try #require(cell.checks.firstIndex(where: { $0.evidence?.metric == .timeToAvailable }))
        let cases: [(Budget.Origin, Int)] = [(.begin, 2), (.firstPacket, 43)]
        for (origin, median) in cases {
            cell.checks[place].evidence?.origin = origin
            cell.checks[place].evidence?.measured = 2
            let text = OpenMetricsReport.render(SampleRun.run([cell]))
            #expect(text.contains("stat=\"median\"} \(median)\n"), "\(text)")
        }
    }

    @Test("noisy values are rounded, and values without noise are not")
    func jitter() throws {
        func text(_ seconds: [Double], _ bytes: Double) throws -> String {
            var cell = try SampleRun.cell("3g", seconds: seconds, limit: "max <= 60 s") { attempt in
                attempt.samples[.redundantBytes] = .value(bytes)
                attempt.samples[.throughput] = .value(8_000_000 + seconds[0])
            }
            cell.verdict = .pass
            return OpenMetricsReport.render(SampleRun.run([cell]))
        }
        let first = try text([40.12, 40.31, 40.2, 39.9, 40.4], 65_537)
        #expect(first == (try text([40.22, 39.71, 39.8, 40.3, 40.4], 65_537)))
        #expect(first.contains("headwind_throughput_bytes_per_second{"))
        #expect(first.contains("stat=\"max\"} 65537\n") && first.contains("stat=\"median\"} 1000000\n"))
        #expect(first.hasSuffix("# EOF\n"))
    }
}
