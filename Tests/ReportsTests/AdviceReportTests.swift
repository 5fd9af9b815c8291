import Reports
import Results
import Testing

/// Every report shows what a good client does, if no known bug explains a failure.
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

    @Test("the client's last line of output, and all of it in a verbose report")
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

    @Test("a pass shows the time nearest to its limit, and repeated attempts only in a verbose report")
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

    @Test("not next to a bug's own advice, and not for a pass")
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
