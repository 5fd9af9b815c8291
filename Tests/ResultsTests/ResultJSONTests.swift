import FoundationEssentials
import Testing

@testable import Results

@Suite("result.json")
struct ResultJSONTests {
    static func run(_ change: (inout AttemptRecord) -> Void = { _ in }) throws -> RunResult {
        var samples = Samples([.timeToAvailable: .value(4.25), .progressMonotonic: .value(1), .retries: .value(0)])
        samples[.timeToError] = .neverCame
        var attempt = AttemptRecord(
            number: 1, seed: Seed(.max), durationSeconds: 5, samples: samples, ideal: [.timeToAvailable: 4],
            requests: [.init(id: "r", tags: ["a/b"], result: .available, seconds: 4.25)],
            link: [
                .init(.rate, .downlink, set: 780_000, measured: nil, toleranceRatio: 0.02, method: "departures")
            ], bytes: .init(hostBytes: 10, linkBytes: nil, clientBytes: 10, toleranceBytes: 0),
            clientEnd: .init(exitStatus: 0), noise: .init(latestWakeSeconds: 0.001))
        change(&attempt)
        let budget = try Budget(key: "time_to_available", text: "max <= 1.2 x ideal")
        let cell = CellResult(
            scenario: "s", point: [.init(axis: "link.profile", value: "3g")],
            link: .init(profile: "3g", backend: "proxy", fidelity: "modelled"),
            plan: CellPlan(expectations: [.init(.available())], budgets: [budget], attempts: 1), attempts: [attempt],
            startedAt: "2026-11-21T04:00:00Z", durationSeconds: 5)
        return RunResult(
            toolVersion: "0.1.0", commandLine: ["headwind", "run"], seed: 7,
            host: .init(kernel: "6.18", architecture: "x86_64", processors: 2), startedAt: "2026-11-21T04:00:00Z",
            durationSeconds: 5, cells: [cell])
    }

    @Test("is written and read back without loss")
    func roundTrip() throws {
        let run = try Self.run()
        #expect(try RunResult(json: run.json()) == run)
        #expect(run.verdict == .pass)
        #expect(run.cells[0].name == "s [link.profile=3g]")
    }

    @Test("cells that are written one by one equal cells that are written at once", arguments: 0...3)
    func cellByCell(count: Int) throws {
        var run = try Self.run()
        run.cells = Array(repeating: run.cells[0], count: count)
        if count == 3 { run.cells[1].notes = ["two\nlines", "\"cells\" : [\n\n  ]", ""] }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        #expect(try run.json() == encoder.encode(run) + Data("\n".utf8))
    }

    @Test(
        "has these keys and values",
        arguments: [
            #""schema_version" : 1"#, #""time_to_available_seconds" : 4.25"#, #""bytes_on_wire" : null"#,
            #""memory_peak_bytes" : null"#, #""throughput_bits_per_second" : null"#, #""retries" : 0"#,
            #""progress_monotonic" : true"#, #""progress_ends_at_one" : null"#, #""seed" : "18446744073709551615""#,
            #""exit_code" : 0"#, #""verdict" : "pass""#, #""a/b""#, #""asked" : "max <= 1.2 x ideal""#,
        ])
    func keys(_ text: String) throws {
        #expect(String(decoding: try Self.run().json(), as: UTF8.self).contains(text))
    }

    @Test("a value that was never reached is null, and its metric is listed")
    func neverCame() throws {
        let json = String(decoding: try Self.run().json(), as: UTF8.self)
        #expect(json.contains(#""time_to_error_seconds" : null"#))
        #expect(json.contains("\"never_came\" : [\n"))
        #expect(try RunResult(json: Self.run().json()).cells[0].attempts[0].samples[.timeToError] == .neverCame)
    }

    @Test("a number that is not finite does not spoil the file")
    func notFinite() throws {
        let run = try Self.run {
            $0.samples.set(.cpuTime, .nan)
            $0.samples.set(.memoryPeak, .infinity)
            $0.durationSeconds = .infinity
            $0.noise = .init(stealRatio: .nan)
        }
        let read = try RunResult(json: run.json())
        #expect(read.cells[0].attempts[0].samples[.cpuTime] == .unknown)
        #expect(read.cells[0].attempts[0].samples[.memoryPeak] == .unknown)
    }

    @Test(
        "a file that is no result is refused, with the place of the fault",
        arguments: [
            ("", "result"), ("{}", "schema_version"), ("[]", "an object is expected"),
            (#"{"schema_version": 2}"#, "schema version is 2"),
            (#"{"schema_version": 1}"#, "missing"), (#"{"schema_version": "1"}"#, "schema_version"),
        ])
    func refuses(_ text: String, _ part: String) throws {
        let error = try #require(throws: ResultError.self) { try RunResult(json: Data(text.utf8)) }
        #expect("\(error)".contains(part), "\(error)")
    }

    @Test("a truncated file is refused, and keys of a later version are ignored")
    func cutAndNew() throws {
        let json = try Self.run().json()
        #expect(throws: ResultError.self) { try RunResult(json: json.prefix(json.count / 2)) }
        let text = String(decoding: json, as: UTF8.self)
        let later = text.replacing(#""schema_version" : 1"#, with: #""later" : [1], "schema_version" : 1"#)
        #expect(try RunResult(json: Data(later.utf8)) == Self.run())
    }

    @Test("a file without the keys of unfinished runs is of a version that only wrote whole runs")
    func older() throws {
        let text = String(decoding: try Self.run().json(), as: UTF8.self)
        let older = text.replacing("\"planned_cells\" : 1,", with: "")
            .replacing("\"unfinished_cells\" : [\n\n  ],", with: "")
        #expect(!older.contains("planned_cells") && !older.contains("unfinished_cells"))
        let read = try RunResult(json: Data(older.utf8))
        #expect(read.plannedCells == nil && read.unfinishedCells == nil && read.isWhole)
    }

    static let changes: [(@Sendable (inout RunResult) -> Void, String)] = [
        ({ $0.cells = [] }, "the run passes without a cell"),
        ({ $0.exitCode = 300 }, "the run has the exit code 300"),
        ({ $0.exitCode = -1 }, "the run has the exit code -1"),
        ({ $0.exitCode = 99 }, "the run has the verdict 'pass' and the exit code 99"),
        ({ $0.verdict = .fail }, "the run has the verdict 'fail' and the exit code 0"),
        ({ $0.findings = [Finding(.linkDied, "x")] }, "the run passes, and has the finding link_died"),
        ({ $0.cells[0].exitCode = 75 }, "the cell 's [link.profile=3g]' has the verdict 'pass' and the exit code 75"),
        ({ ($0.cells[0].verdict, $0.cells[0].exitCode) = (.fail, 99) }, "and its cell 's [link.profile=3g]' does not"),
        ({ $0.cells[0].checks = [] }, "passes without a check"),
        ({ $0.cells[0].checks[1].verdict = .fail }, "its check 'time_to_available.max' does not"),
        ({ $0.cells[0].attempts = [] }, "passes without an attempt"),
        ({ $0.cells[0].attempts[0].counts = false }, "passes without an attempt"),
    ]

    @Test("a result may not contradict its contents", arguments: changes)
    func contradictory(_ change: @Sendable (inout RunResult) -> Void, words: String) throws {
        var run = try Self.run()
        change(&run)
        let error = try #require(throws: ResultError.self) { try RunResult(json: run.json()) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test("keys of metrics are unique and say their unit")
    func metricKeys() {
        #expect(Set(Metric.allCases.map(\.key)).count == Metric.allCases.count)
        for metric in Metric.allCases {
            switch metric.unit {
            case .seconds: #expect(metric.key.hasSuffix("_seconds"))
            case .bytes: #expect(metric.key.contains("bytes"))
            case .bitsPerSecond: #expect(metric.key.hasSuffix("_bits_per_second"))
            case .ratio: #expect(metric.key.hasSuffix("_ratio"))
            case .count, .truth: #expect(metric.key == metric.rawValue)
            }
        }
    }
}
