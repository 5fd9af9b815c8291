import Results
import Testing

@testable import Reports

/// A process that does not end with its run's exit code says so, and why, wherever people read the code.
struct ProcessStatusTests {
    @Test func reportsSayWhatTheProcessEndsWith() throws {
        var run = try SampleRun.mixed()
        run.exitCode = 0
        let process = ProcessStatus(code: 75, reason: "No baseline was written to 'a<b>'.")
        let own = run.exitText()
        #expect(own.hasPrefix("Exit code 0: "))
        let line = "Exit code 75: No baseline was written to 'a<b>'. The run itself: " + own.dropFirst(13)
        #expect(TextReport(process: process).render(run).contains("\n\(line)\n"))
        #expect(MarkdownReport.render(run, process: process).contains(line.markdownEscaped))
        #expect(TextReport().render(run).contains("\n\(own)\n"))
    }
}
