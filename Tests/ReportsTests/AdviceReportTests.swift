import Reports
import Results
import Testing

/// What a good client does stands in every report, where no bug that has a name explains a failure.
@Suite("Advice in reports")
struct AdviceReportTests {
    private static func run(hasBug: Bool) throws -> RunResult {
        var cell = try SampleRun.cell("edge", seconds: [55, 61, 61.5, 62, 70], limit: "max <= 49 s")
        if !hasBug { cell.diagnoses = nil }
        return SampleRun.run([cell])
    }

    private static let advice = "Start at once, and reuse connections"

    @Test("without a diagnosis, with its source")
    func shown() throws {
        let run = try Self.run(hasBug: false)
        let text = TextReport().render(run)
        #expect(text.contains("\n        advice  a good client: \(Self.advice)"))
        #expect(text.contains("(RFC 9112 section 9.3; RFC 5681 section 3.1).\n"))
        #expect(try ReportFormat.markdown.render(run).contains("\n- a good client: \(Self.advice)"))
        #expect(try ReportFormat.junit.render(run).contains("\na good client: \(Self.advice)"))
        let page = try SampleEvents.page(run, events: "")
        let cell = try #require(SampleEvents.blocks(page).first { $0.name == "c0" })
        #expect(cell.json.contains("\"advice\":[\"\(Self.advice)"))
    }

    @Test("the last line that the client said, and more of it where all is asked for")
    func lastWords() throws {
        let cell = try SampleRun.cell("edge", seconds: [70], limit: "max <= 49 s", attempts: 1) {
            $0.clientOutput = ["    ^^^^^^^^^^^", "HTTPError: HTTP Error 503"]
        }
        for isVerbose in [false, true] {
            let text = TextReport(isVerbose: isVerbose).render(SampleRun.run([cell]))
            #expect(text.contains("said    HTTPError: HTTP Error 503\n"))
            #expect(text.contains("^^^") == isVerbose)
        }
    }

    @Test("a pass shows the time that is nearest to its limit, and repeated attempts only where all is asked for")
    func passes() throws {
        var number = 0
        let cell = try SampleRun.cell("3g", seconds: [38, 39, 39], limit: "max <= 49 s", attempts: 2) {
            number += 1
            $0.counts = number > 1
        }
        #expect(cell.verdict == .pass)
        let text = TextReport().render(SampleRun.run([cell]))
        #expect(text.contains("(time_to_available 39 s of 49 s, 2 attempts)\n"), "\(text)")
        #expect(!text.contains("too busy"))
        let whole = TextReport(isVerbose: true).render(SampleRun.run([cell]))
        #expect(whole.contains("2 attempts and 1 repeated (the machine was too busy)"), "\(whole)")
    }

    @Test("not beside a bug's own, and not of what passes")
    func leftOut() throws {
        let held = try SampleRun.cell("3g", seconds: [38], limit: "max <= 49 s", attempts: 1)
        for run in [try Self.run(hasBug: true), SampleRun.run([held])] {
            for format in [ReportFormat.text, .markdown, .junit] {
                #expect(try !format.render(run).contains(Self.advice))
            }
            #expect(try !SampleEvents.page(run, events: "").contains("\"advice\":[\""))
        }
    }
}
