import Documents
import FoundationEssentials
import Reports
import Results
import Testing

@Suite("The page")
struct PageTests {
    @Test("its data equals a golden file; HEADWIND_RECORD=1 writes it again")
    func golden() throws {
        var run = try SampleRun.mixed()
        run.cells[1].checks[1].gating = .advisory
        run.cells[1].checks[2].gating = .quarantined
        run.cells[1].checks[2].quarantine = Quarantine(until: "2026-12-31", reason: "known")
        let page = try SampleEvents.page(run, events: SampleEvents.lines(of: run))
        let text = SampleEvents.blocks(page).prefix(7).map { "\($0.name)\n\($0.json)\n" }.joined()
        try GoldenTests.check(text, "mixed.page")
    }

    @Test("each block is JSON, and each attempt with events has one")
    func blocks() throws {
        let run = try SampleRun.mixed()
        let blocks = SampleEvents.blocks(try SampleEvents.page(run, events: SampleEvents.lines(of: run)))
        for block in blocks { _ = try JSONDecoder().decode(AnyJSON.self, from: Data(block.json.utf8)) }
        #expect(blocks.map(\.name).filter { $0.hasPrefix("c") } == ["c0", "c1", "c2", "c3"])
        #expect(
            Set(blocks.map(\.name).filter { $0.hasPrefix("t") }).count == run.cells.map(\.attempts.count).reduce(0, +))
        // The failed cell's timeline comes first, then the slowest of the rest.
        #expect(blocks.first { $0.name.hasPrefix("t") }?.name.hasPrefix("t1-") == true)
    }

    @Test("a hostile result adds no markup")
    func hostile() throws {
        var run = try SampleRun.hostileRun()
        let attack = "</script><img src=x onerror=alert(1)>\u{2028}<!--<script>"
        run.cells[0].title = attack
        run.cells[0].attempts[0].clientOutput = [attack]
        run.unfinishedCells = [attack]
        let name = run.cells[0].name
        let event = TimelineEvent(
            nanoseconds: 5, cell: name, attempt: 1, source: .client, name: attack,
            fields: [.init(key: attack, value: .text(attack)), .init(key: "fraction", value: .integer(1))])
        let page = try SampleEvents.page(run, events: event.line)
        let clean = try SampleEvents.page(SampleRun.run([]), events: "")
        func count(_ text: String, _ word: String) -> Int { text.ranges(of: word).count }
        let blocks = SampleEvents.blocks(page)
        #expect(blocks.map(\.name) == ["run", "c0", "t0-1"])
        #expect(count(page, "<script") == count(clean, "<script") + 2)
        #expect(count(page, "</script") == count(clean, "</script") + 2)
        #expect(count(page, "<img") == 0 && count(page, "<!--") == 0)
        #expect(!page.unicodeScalars.contains("\u{2028}") && !page.unicodeScalars.contains("\u{202E}"))
        #expect(page.contains("🎈"))
        for block in blocks { _ = try JSONDecoder().decode(AnyJSON.self, from: Data(block.json.utf8)) }
        #expect(blocks.allSatisfy { !$0.json.contains("<") })
    }

    /// The page's contents without its scripts.
    private static func withoutScripts(_ page: String) throws -> Substring {
        let start = try #require(page.firstRange(of: "<article class=\"overview\">")?.lowerBound)
        return page[start...].prefix(upTo: try #require(page.firstRange(of: "</main>")?.lowerBound))
    }

    @Test("without JavaScript it has the verdict, counts, failures by cause, and all cells, the worst first")
    func withoutScripts() throws {
        let run = try SampleRun.mixed()
        let text = try Self.withoutScripts(SampleEvents.page(run, events: ""))
        for part in [
            "<h1>Fail</h1><p>Exit code 99",
            "4 cells: 1 failed, 1 inconclusive, 1 with infrastructure trouble, 1 passed",
            "<h3>It does not resume an interrupted download: it starts again, or gives up. <code class=\"bad\">no_resume</code></h3>",
            "<strong>level 2 [link.profile=edge]</strong> try 1 for &apos;level-2&apos; ended at byte 40000",
            "<code>headwind replay /results/bundles/level-2-edge</code>",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        let rows = text.split(separator: "<th scope=\"row\">").dropFirst().map { $0.prefix { $0 != "<" } }
        #expect(rows == ["edge", "lossy", "lte", "3g"].map { "level 2 [link.profile=\($0)]" })
        // Hostile texts add no markup.
        let hostile = try Self.withoutScripts(SampleEvents.page(SampleRun.hostileRun(), events: ""))
        let tags = Set(hostile.matches(of: #/<([^ >]*)/#).map { String($0.output.1) })
        let own = [
            "article", "header", "h1", "h2", "h3", "p", "section", "ul", "li", "table", "tr", "td", "th", "span",
            "code", "strong",
        ]
        #expect(tags.isSubset(of: Set(own + own.map { "/" + $0 })), "\(tags)")
        #expect(hostile.contains("&lt;b&gt;"))
    }

    @Test("for a check it has the counts of the text report, with and without JavaScript")
    func ofACheck() throws {
        var report = HTMLReport()
        report.check = SampleCheck.report()
        report.add(try SampleCheck.run().cells)
        let page = String(decoding: report.render(try SampleCheck.run()), as: UTF8.self)
        let text = try Self.withoutScripts(page)
        #expect(text.contains("<h1>Fails</h1>") && text.contains(SampleCheck.report().countText))
        let rows = text.split(separator: "<th scope=\"row\">").dropFirst().map { $0.prefix { $0 != "<" } }
        #expect(
            rows == [
                "etag-changed", "body-stalls", "head-never", "status-429", "status-500", "tls", "good-link",
                "status-404",
                "pause-late", "pause-early",
            ])
        let head = try #require(SampleEvents.blocks(page).first)
        #expect(head.json.ranges(of: "\"v\":\"unseen\"").count == 2)
    }

    @Test("it loads nothing from elsewhere")
    func selfContained() throws {
        let page = try SampleEvents.page(SampleRun.mixed(), events: "", charts: ChartLibrary())
        #expect(page.contains("default-src 'none'"))
        // The icon is an empty data address.
        #expect(page.ranges(of: "<link").count == 1 && page.contains("<link rel=\"icon\" href=\"data:,\">"))
        for word in ["<script src", "@import", "url(http", "XMLHttpRequest(", "fetch(\""] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test("without events and without the chart library it says so, and shows the rest")
    func bare() throws {
        let run = try SampleRun.mixed()
        var report = HTMLReport()
        report.add(run.cells)
        let page = String(decoding: report.render(run), as: UTF8.self)
        let head = try #require(SampleEvents.blocks(page).first)
        #expect(head.json.contains("\"hasEvents\":false") && head.json.contains("\"hasCharts\":false"))
        #expect(ChartLibrary(folders: ["/no/such/folder"]) == nil)
    }

    @Test("a page of many attempts is bounded, and keeps the most important timelines")
    func bounded() throws {
        let many = try SampleRun.cell(
            "3g", seconds: (0..<40).map { 31 + Double($0 % 20) }, limit: "max <= 49 s", attempts: 40)
        let run = SampleRun.run([many, try SampleRun.cell("lte", seconds: [99], limit: "max <= 100 s", attempts: 1)])
        let page = try SampleEvents.page(run, events: SampleEvents.lines(of: run), timelineBytes: 20_000)
        let timelines = SampleEvents.blocks(page).filter { $0.name.hasPrefix("t") }
        #expect(timelines.count >= 3 && timelines.count < 20)
        #expect(page.contains("\"timelines\":\(timelines.count)") && page.contains("\"attempts\":41"))
        #expect(timelines.map(\.json.utf8.count).reduce(0, +) < 20_000)
        // The first attempt that broke the limit, the other one that did, and then the slowest of all.
        #expect(timelines.prefix(3).map(\.name) == ["t0-20", "t0-40", "t1-1"])
    }
}

/// Any JSON value.
struct AnyJSON: Decodable {
    /// The members are sorted, as decoders do not keep their order.
    let tree: JSONTree

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            var items: [JSONTree] = []
            while !list.isAtEnd { items.append(try list.decode(AnyJSON.self).tree) }
            tree = .list(items)
        } else if let object = try? decoder.container(keyedBy: Key.self) {
            tree = .object(
                try object.allKeys.map {
                    .init(key: $0.stringValue, value: try object.decode(Self.self, forKey: $0).tree)
                }
                .sorted { $0.key < $1.key })
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                tree = .null
            } else if let flag = try? value.decode(Bool.self) {
                tree = .flag(flag)
            } else if let integer = try? value.decode(Int64.self) {
                tree = .integer(Int128(integer))
            } else if let number = try? value.decode(Double.self) {
                tree = .number(number)
            } else {
                tree = .text(try value.decode(String.self))
            }
        }
    }

    /// The tree as Foundation reads it.
    static func tree(_ json: some Sequence<UInt8>) throws -> JSONTree {
        try JSONDecoder().decode(AnyJSON.self, from: Data(json)).tree
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONTree {
    /// The tree with sorted members, and with whole numbers as integers, however they are written.
    var normal: JSONTree {
        switch self {
        case .object(let members):
            .object(members.map { .init(key: $0.key, value: $0.value.normal) }.sorted { $0.key < $1.key })
        case .list(let items): .list(items.map(\.normal))
        case .integer, .number: integer.map(JSONTree.integer) ?? self
        default: self
        }
    }
}
