import Foundation
import Reports
import Results
import Testing

/// The output of `headwind check`.
@Suite("Report of a check") struct ClientReportTests {
    @Test("failures with one cause are one block: conclusion, evidence, advice, command")
    func grouped() throws {
        let text = SampleCheck.report().text()
        let blocks = text.components(separatedBy: "\n\n")
        #expect(blocks[0] == "Client: curl -fL -o '{output}' '{url}' 'it'\\''s' 'a b'")
        #expect(blocks[1] == "FAILS: 5 checks by 3 causes, the worst first")
        #expect(
            blocks[2] == """
                wrong data  It mixes the bytes of two versions of a file.
                            keeps_stale_bytes, in 1 check:
                            etag-changed  Does well in etag-changed
                                          'asset-pack-0123…' has different content.
                            A good client: \(ClientBug.keepsStaleBytes.row.advised)
                            again: headwind check --only etag-changed --output results -- curl -fL -o '{output}' '{url}' 'it'\\''s' 'a b'
                """)
        #expect(
            blocks[3].hasPrefix(
                """
                hangs       It waits for a silent host or link without a time limit.
                            no_timeout, in 2 checks:
                            body-stalls  Does well in body-stalls
                                         It was still running after 40 s.
                            head-never   Does well in head-never
                                         It was still running after 40 s, and waited.
                """), "\(blocks[3])")
        #expect(
            blocks[4].hasPrefix(
                "gives up    It ends with an error although it could continue.\n            in 2 checks:"))
        #expect(text.contains("\nHOLDS (2)\n  good-link, status-404\n"))
        #expect(text.contains(" (2)\n  A command has no pause.\n    pause-late, pause-early\n"))
        #expect(!text.contains("10500000000") && !text.contains("0123456789ab"))
    }

    @Test("a verbose report has hashes, places in the timeline, and each check's question")
    func verbose() {
        var style = ClientReport.TextStyle()
        (style.isVerbose, style.options) = (true, ["--patience", "5s"])
        let text = SampleCheck.report().text(style)
        for part in [
            "(SHA-256 0123456789ab…, not ba9876543210…)", "seen in events.jsonl, attempt 1, \"t\":10500000000",
            "Does well in head-never", "  Downloads  good-link", "--output results --patience 5s -- curl",
        ] { #expect(text.contains(part), "\(text)") }
    }

    @Test("failures that no bug explains are of one cause only with one advice")
    func advised() throws {
        var report = SampleCheck.report()
        let place = try #require(report.rows.firstIndex { $0.name == "status-500" })
        report.rows[place].advice = "Connect."
        let text = report.text()
        #expect(text.contains("FAILS: 5 checks by 4 causes"), "\(text)")
        #expect(text.contains("A good client: End well.") && text.contains("A good client: Connect."), "\(text)")
        #expect(GitHubAnnotations.render(report).contains("a good client: Connect."))
        var page = HTMLReport()
        page.check = report
        let html = String(decoding: page.render(try SampleCheck.run()), as: UTF8.self)
        #expect(html.contains("<strong>A good client:</strong> Connect."))
    }

    @Test("a shell reads the command that repeats a check as it was given")
    func repeated() throws {
        var report = SampleCheck.report()
        report.command = ["sh", "-c", "set -e\ntrue 'a\\n'\t\u{1B}[1m\u{202E}é", "it's", "'\u{301}", ""]
        let lines = report.text().split(separator: "\n").filter { $0.contains("again: ") }
        let line = try #require(lines.first).split(separator: "again: ")[1]
        let reader = """
            import subprocess, sys
            words = subprocess.run(["bash", "-c", r"printf '%s\\0' " + sys.stdin.read()], stdout=subprocess.PIPE)
            sys.stdout.buffer.write(words.stdout)
            """
        let words = try SecondOpinion.python(importing: "subprocess", reader, input: String(line))
            .split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(words.suffix(report.command.count) == report.command[...], "\(line)")
    }

    @Test("checks beyond the limit are only named")
    func many() {
        var report = SampleCheck.report()
        let row = report.rows[1]
        report.rows += (1...30).map { number in
            var copy = row
            copy.name = "another-check-\(number)"
            return copy
        }
        let lines = report.text().split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("            and another-check-2, another-check-3") })
        #expect(lines.allSatisfy { !$0.contains("another-check-9,") || $0.count <= 100 })
    }

    @Test("checks with one reason are named together, and their faults only in a verbose report")
    func reasons() {
        var report = SampleCheck.report()
        let unreached = ClientReport.Row.unreached
        report.rows += [
            ("one", "\(unreached): it never sent a second request"),
            (
                "two",
                "\(unreached): it never sent a second request: the host's fault 'pack=a try=2 status=503' affected no answer"
            ),
            ("three", "\(unreached): the host's fault 'pack=a cut@40%' affected no answer"),
            ("four", "\(unreached): the fault 'offline' never happened"),
        ].map { .init(name: $0, says: "Does well", answer: .notObservable, detail: $1) }
        #expect(
            report.text().contains(
                """
                  It never reached the situation: it never sent a second request.
                    one, two
                  It never reached the situation.
                    three, four
                """), "\(report.text())")
        var style = ClientReport.TextStyle()
        style.isVerbose = true
        #expect(report.text(style).contains("'pack=a try=2 status=503'"))
    }

    @Test("a recorded failure is reproduced by its bundle")
    func kept() {
        var report = SampleCheck.report()
        for index in report.rows.indices { report.rows[index].again = "headwind replay r/bundles/a" }
        #expect(report.text().contains("again: headwind replay r/bundles/a\n"))
        #expect(!report.text().contains("--only"))
    }

    /// All conclusions with which a report may begin.
    @Test("a conclusion is one sentence of at most 100 characters")
    func conclusions() {
        let name = String(repeating: "a very long name\n", count: 20)
        let composed: [CellFailure.Cause] =
            [.check(.budget, name), .check(.expectation, name + ".error")]
            + Metric.allCases.map { .check(.budget, "\($0.rawValue).median") }
            + ConductExpectation.Word.allCases.map { .check(.expectation, $0.rawValue) }
        let causes =
            ClientBug.allCases.map { CellFailure.Cause.bug($0) } + Attribution.allCases.map { .finding($0) } + composed
        let sentences = causes.map(\.conclusion) + ClientReport.Severity.allCases.map(\.sentence)
        for sentence in sentences {
            #expect(sentence.count <= CellFailure.Cause.mostCharacters && sentence.count > 10, "\(sentence)")
            #expect(sentence.hasSuffix(".") && !sentence.contains("\n"), "\(sentence)")
        }
        for row in SampleCheck.report().rows { #expect((row.conclusion == nil) == (row.answer != .fails)) }
    }

    /// The exit code and its meaning, by the answers: the control is one of them.
    @Test(
        arguments: [
            ([.holds], 0, "every observable check holds"),
            ([.holds, .notObservable], 0, "every observable check holds"),
            ([.holds, .notMeasured], 75, "not everything could be measured: try again"),
            ([.notObservable, .notObservable], 75, "no check could be judged, because the control is not observable"),
            ([.fails, .notObservable], 99, "the client fails at least one check"),
        ] as [([ClientReport.Answer], Int32, String)])
    func whatTheExitCodeMeans(_ answers: [ClientReport.Answer], _ code: Int32, _ meaning: String) {
        let report = ClientReport(
            toolVersion: "1", command: ["true"], patienceSeconds: 30, durationSeconds: 1,
            rows: answers.map { .init(name: "a", says: "A", answer: $0) })
        let text = report.text()
        #expect(report.exitCode == code && text.hasSuffix("Exit code \(code): \(meaning).\n"), "\(text)")
    }

    /// Cells may fail because of what the client lacks, such as trust in the run's own authority.
    @Test(arguments: [(0, "pass"), (99, "fail"), (75, "infrastructure")] as [(Int32, String)])
    func theSummaryHasTheVerdictOfTheCheck(exitCode: Int32, verdict: String) throws {
        var check = SampleCheck.report()
        check.exitCode = exitCode
        #expect(MarkdownReport.render(try SampleCheck.run(), of: check).hasPrefix("# Headwind: \(verdict)\n"))
    }
}
