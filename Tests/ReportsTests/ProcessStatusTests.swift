import Results
import Testing

@testable import Reports

/// Every report says that the process exits with another code than the run's, and why.
struct ProcessStatusTests {
    @Test func reportsHaveTheExitCodeOfTheProcess() throws {
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
