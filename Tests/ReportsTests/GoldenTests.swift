import FoundationEssentials
import Reports
import Results
import Testing

/// Compares whole reports with files; `HEADWIND_RECORD=1 swift test` writes the files again, for review.
@Suite("Reports against golden files")
struct GoldenTests {
    static let cases: [(file: String, format: ReportFormat, palette: Palette)] = [
        ("mixed.txt", .text, .plain), ("mixed.ansi.txt", .text, .ansi), ("mixed.json", .json, .plain),
        ("mixed.junit.xml", .junit, .plain), ("mixed.md", .markdown, .plain),
        ("mixed.metrics.txt", .openmetrics, .plain),
    ]

    @Test("a run with a cell of each verdict", arguments: cases)
    func mixed(_ row: (file: String, format: ReportFormat, palette: Palette)) throws {
        try Self.check(row.format.render(SampleRun.mixed(), palette: row.palette), row.file)
    }

    @Test("a run whose every text is hostile", arguments: [ReportFormat.text, .junit, .markdown, .openmetrics])
    func hostile(_ format: ReportFormat) throws {
        try Self.check(format.render(SampleRun.hostileRun()), "hostile.\(format.rawValue)")
    }

    @Test("without files, no line refers to them")
    func withoutFiles() throws {
        let run = try SampleRun.mixed()
        let looks = { (hasFiles: Bool) in
            TextReport(hasFiles: hasFiles).render(run).split(separator: "\n").filter { $0.hasPrefix("        look ") }
        }
        #expect(looks(true).contains { $0.contains("events.jsonl, cell") })
        let cells = run.cells.count { $0.verdict != .pass }
        let line = "        look    run with --output DIR for a timeline, in DIR/events.jsonl"
        #expect(cells > 0 && looks(false).map(String.init) == Array(repeating: line, count: cells))
    }

    static func check(_ text: String, _ file: String) throws {
        let folder = #filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex) + "/Golden/"
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" {
            try Data(text.utf8).write(to: URL(filePath: folder + file))
        }
        let golden = String(decoding: try Data(contentsOf: URL(filePath: folder + file)), as: UTF8.self)
        let difference = zip(text.split(separator: "\n"), golden.split(separator: "\n")).first { $0 != $1 }
        #expect(text == golden, "the first line that differs: \(difference.map { "\($0.0)\n\($0.1)" } ?? "the length")")
    }
}
