import Foundation
import Reports
import Results
import Testing

/// What the overview shows at once: the failures, the results that cells come from, and pages of any width.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct OverviewTests {
    private static func page(_ run: RunResult) throws -> String {
        try SampleEvents.page(run, events: SampleEvents.lines(of: run))
    }

    @Test func firstScreenShowsFailuresMarginsAndCommandsToReproduce() throws {
        let page = try Self.page(try SampleRun.mixed())
        try Chromium.with { browser in
            let answer = try browser.open(page, script: Self.reading)
            #expect(answer.console.isEmpty, "\(answer.console)")
            #expect(
                answer.said("cells")
                    == "level 2 [link.profile=edge]|level 2 [link.profile=lossy]|level 2 [link.profile=lte]")
            let first = try #require(answer.said("first"))
            for text in [
                "Level 2 survives the tunnel", "time_to_available.median",
                "61.9 s measured, ≤ 49.2 s asked for: 12.7 s too much, 26 %",
                "median at most 1.2 x ideal + 12 s, where ideal is 31 s", "no_resume",
                "A good client: Request the missing bytes with Range",
                "headwind replay /results/bundles/level-2-edge",
            ] { #expect(first.contains(text), "\(text) in \(first)") }
            #expect(answer.said("above").flatMap(Int.init).map { $0 < 700 } == true, "it ends on the first screen")
        }
    }

    @Test func theWorstFailuresComeFirst() throws {
        // Each cell is slower than the one before. The last but one ends with an unexpected error.
        var cells = try (1...9).map { number in
            try SampleRun.cell("p\(number)", seconds: [Double(50 + number)], limit: "max <= 49 s", attempts: 1) {
                guard number == 8 else { return }
                $0.requests[0] = .init(id: "r1", result: .error, seconds: 1, domain: "exit", code: 7)
                $0.clientOutput = ["    ^^^^^^^", "HTTPError: HTTP Error 503"]
            }
        }
        cells[8].gating = .quarantined
        let page = try Self.page(SampleRun.run(cells))
        try Chromium.with { browser in
            let answer = try browser.open(page, script: Self.reading)
            #expect(answer.console.isEmpty, "\(answer.console)")
            // All failures that count have one cause; the one that does not count is last.
            let names = [8, 7, 6, 5, 4, 3, 2, 1, 9].map { "level 2 [link.profile=p\($0)]" }.joined(separator: "|")
            #expect(answer.said("cells") == names && answer.said("cards") == "2")
            #expect(answer.said("list") == names)
            let first = try #require(answer.said("first"))
            #expect(first.contains("The client said: HTTPError: HTTP Error 503") && !first.contains("^^^"), "\(first)")
        }
    }

    @Test func cellsNameTheResultsThatTheyComeFrom() throws {
        let run = try Self.merged()
        let page = try Self.page(run)
        #expect(
            page.contains("\"folder\":\"shard-1\",") && page.contains("\"of\":[0,1]") && page.contains("\"of\":[2,3]"))
        try Chromium.with { browser in
            let answer = try browser.open(
                page, at: "#cell=" + "level 2 [link.profile=lossy]".queryEncoded, script: Self.reading)
            #expect(answer.console.isEmpty, "\(answer.console)")
            #expect(answer.document.contains("From the results in <strong>shard-2</strong>"))
            #expect(answer.said("ofshard") == "2", "the filter knows shards")
            // A merged run has no single command to reproduce it, so cells show their own.
            #expect(answer.document.contains("headwind run 2.yaml"))
        }
    }

    @Test func otherReportsNameTheResultsThatCellsComeFrom() throws {
        var run = try Self.merged()
        let text = TextReport().render(run)
        #expect(text.ranges(of: "from the results in shard-1").count == 2)
        #expect(text.ranges(of: "from the results in shard-2").count == 2)
        #expect(try ReportFormat.markdown.render(run).ranges(of: "from the results in shard-2").count == 2)
        run.shards?[1].machine = "n1"
        run.shards?[1].lost = ["the node n2 failed"]
        let origin = "from the results in shard-2, on n1; run again: the node n2 failed"
        #expect(TextReport().render(run).contains(origin))
        #expect(try Self.page(run).contains(#"["name","n1"],["run again","the node n2 failed"],"#))
        run.shards?[1].folder = "shard-1"
        #expect(TextReport().render(run).contains("from the results in shard-1 (2 of 2)"))
        #expect(try !TextReport().render(SampleRun.mixed()).contains("from the results in"))
        // A cell's name may contain a secret, which is redacted in both places alike.
        run.cells[3].point[0].value = "https://me:hunter22@example.com/"
        run.shards?[1].cells[1] = run.cells[3].name
        let clean = run.redacted
        #expect(clean.shards?[1].cells[1] == clean.cells[3].name && !"\(clean.shards ?? [])".contains("hunter22"))
    }

    @Test func narrowPagesCutNothing() throws {
        let page = try Self.page(try SampleRun.mixed())
        try Chromium.with { browser in
            for place in ["", "#cell=" + "level 2 [link.profile=edge]".queryEncoded] {
                var answer = try browser.open(page, at: place, width: 600, script: Self.measuring)
                // A table marks itself as scrollable in its next frame, which a busy browser draws late.
                for _ in 0..<4 where answer.said("unsaid") != "0" {
                    answer = try browser.open(page, at: place, width: 600, script: Self.measuring)
                }
                #expect(answer.console.isEmpty, "\(answer.console)")
                #expect(answer.said("cut") == "", "beyond the edge, and nothing says so")
                #expect(answer.said("unsaid") == "0", "tables that scroll without a word")
                #expect(answer.said("checks") != "wide")
            }
        }
    }

    /// The sample run, as if two machines had each run one half of it.
    private static func merged() throws -> RunResult {
        var run = try SampleRun.mixed()
        run.commandLine = ["headwind", "report", "merge", "shard-1", "shard-2"]
        run.shards = [0, 1].map { index in
            let cells = Array(run.cells[(index * 2)..<(index * 2 + 2)])
            var part = SampleRun.run(cells)
            part.commandLine = ["headwind", "run", "\(index + 1).yaml"]
            return ShardFacts(part, folder: "shard-\(index + 1)", cells: cells.map(\.name))
        }
        return run
    }

    /// Stores the overview's failures in the document.
    private static let reading = """
        setTimeout(() => {
          const said = document.body.dataset;
          const cards = [...document.querySelectorAll(".failure")];
          said.cells = [...document.querySelectorAll(".failure a.of")].map((link) => link.textContent).join("|");
          said.cards = cards.length;
          if (cards[0]) {
            said.first = cards[0].textContent.replaceAll("\\u00a0", " ").replaceAll("<=", "at most");
            said.above = Math.round(cards[0].getBoundingClientRect().bottom);
          }
          said.list = [...document.querySelectorAll("#list .row")].map((row) => decodeURIComponent(row.hash.slice("#cell=".length).replaceAll("+", " "))).join("|");
          const input = document.getElementById("filter");
          input.value = "shard:shard-2";
          input.dispatchEvent(new Event("input"));
          said.ofshard = document.querySelectorAll("#list .row").length;
        }, 500);
        """

    /// Stores the elements beyond the right edge, and the number of scrollable tables without a mark, in the document.
    private static let measuring = """
        setTimeout(() => {
          for (const name of document.querySelectorAll(".checks button.name")) name.click();
          setTimeout(() => {
            const isWide = (box) => box.scrollWidth > box.clientWidth + 1;
            const boxes = [...document.querySelectorAll(".wide > .scroll")];
            const cut = [...document.querySelectorAll("#main *")].filter((element) => {
              const box = element.closest(".scroll");
              if (element.closest("svg, .chart, .offscreen") || (box && isWide(box))) return false;
              const place = element.getBoundingClientRect();
              return place.width > 0 && place.right > innerWidth + 1;
            });
            const checks = document.querySelector(".checks");
            Object.assign(document.body.dataset, {
              cut: cut.map((element) => element.tagName + "." + element.className).join(" "),
              unsaid: boxes.filter((box) => isWide(box) === box.previousElementSibling.hidden).length,
              checks: checks && isWide(checks.parentElement) ? "wide" : "fits",
            });
          }, 500);
        }, 500);
        """
}

extension String {
    fileprivate var queryEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
