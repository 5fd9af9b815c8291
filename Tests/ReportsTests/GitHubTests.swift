import Reports
import Results
import Testing

@Suite("Annotations of GitHub Actions")
struct GitHubTests {
    private func lines(_ run: RunResult) -> [String] {
        GitHubAnnotations.render(run).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("a cell that does not pass has an annotation, with its file, the worst first")
    func mixed() throws {
        var run = try SampleRun.mixed()
        for index in run.cells.indices { run.cells[index].source = SourcePlace(file: "ci/level 2.yaml", line: 3) }
        let lines = lines(run)
        #expect(lines.count == 4 && lines.last == "")
        #expect(
            lines[0].hasPrefix(
                "::error file=ci/level 2.yaml,line=3,title=FAIL%3A level 2 [link.profile=edge]::Level 2 survives the tunnel%0AFAIL budget:time_to_available.median: "
            ))
        // The runner's own path would be useless elsewhere.
        let again = "%0Aagain: download the results, then: headwind replay --trust bundles/level-2-edge"
        #expect(lines[0].hasSuffix(again) && !lines[0].contains("/results/"), "\(lines[0])")
        #expect(lines[1].contains("title=UNSURE") && lines[2].contains("title=INFRA"))
        #expect(!lines.contains { $0.contains("=3g]") })
        run.cells.removeAll { $0.verdict != .pass }
        run.exitCode = 0
        #expect(GitHubAnnotations.render(run).isEmpty)
    }

    @Test("a file outside the repository is not named")
    func outside() throws {
        var run = try SampleRun.mixed()
        for index in run.cells.indices { run.cells[index].source = SourcePlace(file: "/usr/share/x.yaml", line: 3) }
        #expect(lines(run).dropLast().allSatisfy { $0.hasPrefix("::error title=") })
        let named = GitHubAnnotations.render(run) { _ in "x,y:z%.yaml" }
        #expect(named.hasPrefix("::error file=x%2Cy%3Az%25.yaml,line=3,title="))
    }

    @Test("of more than ten annotations nine are kept, the worst, and one counts the others", arguments: [10, 11, 300])
    func cap(_ count: Int) throws {
        let mixed = try SampleRun.mixed()
        let (failed, unsure) = (mixed.cells[1], mixed.cells[2])
        let run = SampleRun.run(Array(repeating: unsure, count: count - 1) + [failed])
        let lines = lines(run).dropLast()
        #expect(lines.count == 10 && lines[0].contains("title=FAIL"))
        let last = lines[9].hasPrefix("::error title=… and \(count - 9) more::")
        #expect(last == (count > 10))
    }

    @Test("a failure that does not count is a warning, apart from the errors")
    func warnings() throws {
        var run = try SampleRun.mixed()
        run.cells[0].checks[0].verdict = .fail
        run.cells[0].checks[0].gating = .advisory
        run.cells[2].gating = .quarantined
        let lines = lines(run)
        #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("::error ") })
        #expect(
            lines[2].hasPrefix("::warning title=warn%3A level 2 [link.profile=lossy]")
                && lines[3].hasPrefix("::warning title=warn"))
        #expect(lines[3].contains("(advisory: it decides nothing)"))
        run.exitCode = 0
        #expect(!GitHubAnnotations.render(run).contains("::error"))
    }

    @Test("no text can begin a command of its own, or end one early")
    func hostile() throws {
        var run = try SampleRun.hostileRun()
        run.cells[0].title = "x\n::add-mask::y\r\n::error::%0A"
        run.cells[0].scenario = "a,b:c::d%0A"
        let lines = lines(run).dropLast()
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("::error title=") })
        #expect(lines[1].contains("a%2Cb%3Ac%3A%3Ad%250A"))
        #expect(!lines.contains { $0.unicodeScalars.contains { $0.value < 0x20 } })
        run.cells[0].notes = [String(repeating: "x", count: 100_000)]
        run.findings = [Finding(.harnessFailed, String(repeating: "%", count: 100_000))]
        #expect(GitHubAnnotations.render(run).utf8.count < 16_000)
    }
}
