import Redaction
import Reports
import Results
import Testing

/// Secrets in every text of a result.
@Suite struct SecretTests {
    @Test("no report shows a secret", arguments: ReportFormat.allCases)
    func everywhere(_ format: ReportFormat) throws {
        let leak = "Authorization: Bearer s3cret https://s3cret@a.example/?s3cret"
        var run = try SampleRun.mixed()
        run.commandLine = ["headwind", "run", "--token", "s3cret", leak]
        run.findings = [Finding(.harnessFailed, leak)]
        run.cells[0].notes = [leak]
        run.cells[0].title = leak
        run.cells[0].point = [.init(axis: "host.url", value: "https://s3cret@a.example/?s3cret")]
        run.cells[0].source = SourcePlace(file: "https://s3cret@a.example/?s3cret", line: 1)
        run.cells[0].retriedInfrastructure = leak
        run.cells[0].quarantine = Quarantine(until: "2026-12-31", reason: leak)
        run.cells[0].findings = [Finding(.hostDied, leak)]
        run.cells[0].checks[0].sentence = leak
        run.cells[0].attempts[0].notes = [leak]
        run.cells[0].attempts[0].unplayedFaults = leak
        run.cells[0].attempts[0].findings = [Finding(.hostDied, leak)]
        run.cells[0].attempts[0].requests[0].message = leak
        run.cells[1].attempts[0].clientOutput = [leak, "last"]
        let report = try format.render(run)
        #expect(!report.contains("s3cret"))
        // Numbers, and annotations on files, contain no messages.
        #expect(report.contains("last") || [.openmetrics, .github].contains(format))
    }

    @Test("no report shows a registered secret, wherever it appears", arguments: ReportFormat.allCases)
    func held(_ format: ReportFormat) throws {
        let secret = "h3ld-by-the-run"
        Redaction.hold([secret])
        var run = try SampleRun.mixed()
        run.commandLine = ["headwind", "run", secret]
        run.cells[0].notes = [secret]
        run.cells[0].title = secret
        run.cells[0].findings = [Finding(.hostDied, secret)]
        run.cells[0].attempts[0].notes = [secret]
        run.cells[1].attempts[0].clientOutput = ["auth failed with \(secret)"]
        #expect(try !format.render(run).contains(secret))
    }
}
