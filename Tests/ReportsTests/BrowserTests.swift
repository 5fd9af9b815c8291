import Foundation
import Reports
import Results
import Testing

/// The page in Chromium.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct BrowserTests {
    private static func page() throws -> (page: String, run: RunResult) {
        var run = try SampleRun.mixed()
        run.cells[1].attempts[0].clientOutput = ["<img src=x onerror=\"document.title='hit'\">"]
        run.cells[1].title = "</script><script>document.title='hit'</script>"
        let charts = try #require(ChartLibrary(), "dygraphs is missing: apt-get install libjs-dygraphs")
        return (try SampleEvents.page(run, events: SampleEvents.lines(of: run), charts: charts), run)
    }

    private static func place(_ run: RunResult, _ cell: Int, attempt: Int? = nil) -> String {
        let name = run.cells[cell].name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "#cell=\(name)" + (attempt.map { "&attempt=\($0)" } ?? "")
    }

    @Test func overviewShowsTheResult() throws {
        let (page, _) = try Self.page()
        try Chromium.with { browser in
            let answer = try browser.open(page)
            #expect(answer.console.isEmpty, "\(answer.console)")
            #expect(answer.document.contains("data-ready=\"true\"") && answer.document.contains("Exit code 99"))
            #expect(answer.document.ranges(of: "class=\"row\"").count == 4)
            #expect(answer.document.contains("<title>Fail · Headwind</title>"))
            #expect(answer.document.contains("class=\"matrix\""))
        }
    }

    @Test func deepLinkOpensTheAttempt() throws {
        let (page, run) = try Self.page()
        try Chromium.with { browser in
            let answer = try browser.open(page, at: Self.place(run, 1, attempt: 2), script: Self.measuring)
            #expect(answer.console.isEmpty, "\(answer.console)")
            #expect(answer.document.contains("id=\"attempt-title\" tabindex=\"-1\">Attempt 2</h3>"))
            #expect(answer.said("canvases").flatMap(Int.init).map { $0 >= 2 } == true, "charts are drawn")
            #expect(answer.said("inked") == "true", "charts have lines")
            #expect(answer.said("marks").flatMap(Int.init).map { $0 >= 4 } == true)
            #expect(answer.document.contains("no_resume") && answer.document.contains("headwind replay"))
            #expect(answer.document.contains("document.title='hit'") && !answer.document.contains("<title>hit"))
            #expect(answer.document.contains("<tr tabindex=\"0\""))
        }
    }

    @Test func aUniqueNameWithoutItsMatrixPointOpensItsCell() throws {
        let (many, _) = try Self.page()
        var run = try SampleRun.mixed()
        run.cells = Array(run.cells.prefix(1))
        let one = try SampleEvents.page(run, events: "")
        try Chromium.with { browser in
            let found = try browser.open(one, at: "#cell=level%202")
            #expect(found.document.contains("<title>Pass: level 2 [link.profile=3g] · Headwind</title>"))
            let several = try browser.open(many, at: "#cell=level%202")
            #expect(several.document.contains("There are 4 cells with that name here"))
            #expect(several.document.contains("<title>Fail · Headwind</title>"))
        }
    }

    @Test func aCheckShowsItsQuestions() throws {
        var report = HTMLReport()
        report.check = SampleCheck.report()
        let place = try #require(report.check?.rows.firstIndex { $0.name == "status-500" })
        report.check?.rows[place].advice = "Connect."
        report.add(try SampleCheck.run().cells)
        let page = String(decoding: report.render(try SampleCheck.run()), as: UTF8.self)
        let script = """
            const said = document.body.dataset;
            said.tiles = [...document.querySelectorAll(".tile")].map((tile) => tile.textContent).join("|");
            said.list = [...document.querySelectorAll("#list .name")].map((name) => name.textContent).join("|");
            said.groups = [...document.querySelectorAll(".failure h3")].map((head) => head.textContent).join("|");
            """
        try Chromium.with { browser in
            let answer = try browser.open(page, script: script)
            #expect(answer.console.isEmpty, "\(answer.console)")
            #expect(answer.said("tiles") == "✕5fail|!1not measured|✓2hold|–2not observable")
            #expect(
                answer.said("list")
                    == "etag-changed|body-stalls|head-never|status-429|status-500|tls|good-link|status-404|pause-late|pause-early"
            )
            let groups = [ClientBug.keepsStaleBytes.row.sentence, ClientBug.noTimeout.row.sentence]
            let all = try #require(answer.said("groups"))
            #expect(all.hasPrefix(groups.joined(separator: "|")))
            // Two failures without a bug have two causes, because their advice differs.
            #expect(all.ranges(of: ClientReport.Severity.givesUp.sentence).count == 2, "\(all)")
            // A check that never ran has no cell, and still has a page.
            let unrun = try browser.open(page, at: "#cell=pause-late")
            #expect(unrun.console.isEmpty, "\(unrun.console)")
            #expect(unrun.document.contains("<title>Not observable: pause-late · Headwind</title>"))
            #expect(
                unrun.document.contains("There was no attempt.") && unrun.document.contains("a command has no pause"))
        }
    }

    @Test func filterAndKeysWork() throws {
        let (page, _) = try Self.page()
        try Chromium.with { browser in
            let answer = try browser.open(page, script: Self.driving)
            #expect(answer.console.isEmpty, "\(answer.console)")
            #expect(answer.said("all") == "4")
            #expect(answer.said("failed") == "1")
            #expect(answer.said("others") == "3")
            #expect(answer.said("axis") == "1")
            #expect(answer.said("count") == "1 of 4 cells")
            #expect(answer.said("opened")?.hasPrefix("#cell=") == true)
            #expect(answer.said("left") == "")
            #expect(answer.said("help") == "true")
            #expect(answer.said("dark") == "true", "dark colours are dark")
        }
    }

    @Test func picturesOfDarkAndPaper() throws {
        let (page, run) = try Self.page()
        try Chromium.with { browser in
            let dark = "document.getElementById('theme').click(); document.getElementById('theme').click();"
            let picture = try browser.picture(page, at: Self.place(run, 1), script: dark)
            #expect(picture.count > 40_000)
            let paper = try browser.picture(page, at: Self.place(run, 1), printed: true)
            #expect(paper.count > 20_000 && paper.starts(with: Data("%PDF".utf8)))
        }
    }

    @Test func withoutALibraryThereAreTables() throws {
        let run = try SampleRun.mixed()
        let page = try SampleEvents.page(run, events: SampleEvents.lines(of: run))
        try Chromium.with { browser in
            let answer = try browser.open(page, at: Self.place(run, 1))
            #expect(answer.console.isEmpty, "\(answer.console)")
            #expect(answer.document.contains("dygraphs was missing") && answer.document.contains("<tr tabindex=\"0\""))
        }
    }

    /// Stores the number of charts, and whether anything is drawn in them, in the document.
    private static let measuring = """
        setTimeout(() => {
          const canvases = [...document.querySelectorAll(".timeline canvas")];
          const inked = canvases.some((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0));
          Object.assign(document.body.dataset, { canvases: canvases.length, inked, marks: document.querySelectorAll(".waterfall .mark").length });
        }, 500);
        """

    /// Filters, moves through the list by keys, opens and closes an attempt, shows the help, and changes the colours.
    private static let driving = """
        const said = document.body.dataset;
        const rows = () => document.querySelectorAll("#list .row").length;
        const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const filter = (text) => { const input = document.getElementById("filter"); input.value = text; input.dispatchEvent(new Event("input")); return rows(); };
        const wait = () => new Promise((done) => setTimeout(done, 100));
        (async () => {
          said.all = rows();
          said.others = filter("-verdict:fail");
          said.axis = filter("link.profile:lossy");
          said.failed = filter("verdict:fail level");
          said.count = document.getElementById("count").textContent;
          press("j"); press("Enter");
          await wait();
          said.opened = location.hash.replaceAll('"', "");
          press("n"); await wait();
          press("Escape"); await wait();
          said.left = new URLSearchParams(location.hash.slice(1)).get("cell") || "";
          press("?"); said.help = document.getElementById("keys").open; document.getElementById("keys").close();
          press("t"); press("t"); await wait();
          said.dark = document.documentElement.dataset.theme === "dark" && /rgb\\(1\\d, /.test(getComputedStyle(document.body).backgroundColor);
        })();
        """
}
