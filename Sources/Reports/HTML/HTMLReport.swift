package import Results

/// A result as one HTML page that opens from disk, with its data as JSON and the program that shows it.
///
/// Cells are added one by one, and need not be kept in memory. The data is in `script` elements that are read when
/// needed: one for the run, one for each cell, and one for each attempt with a timeline in the page.
package struct HTMLReport {
    private var rows: [UInt8] = []
    private var blocks: [UInt8] = []
    private var count = 0
    /// The indices of the cells, by name.
    private var places: [String: Int] = [:]
    private var attempts = TimelineChoice()
    private var summaries: [PageRow] = []
    /// The report of a check of a client; nil for a run.
    package var check: ClientReport?

    /// `timelineBytes` is the most bytes of timelines in the page (default: 12 MB, which a browser reads in less than a
    /// second).
    package init(timelineBytes: Int = 12_000_000) { attempts.mostBytes = timelineBytes }

    /// Adds a cell after the others.
    package mutating func add(_ cell: HTMLCell) {
        places[cell.name] = count
        if count > 0 { rows.append(UInt8(ascii: ",")) }
        rows += cell.row
        Self.append(cell.block, id: "c\(count)", to: &blocks)
        attempts.add(cell, at: count)
        summaries.append(cell.summary)
        count += 1
    }

    /// Adds cells in order.
    package mutating func add(_ cells: [CellResult]) {
        // At most these are in memory besides the page so far.
        for stretch in cells.stretches(of: 16) {
            for cell in stretch.concurrentMap({ HTMLCell($0) }) { add(cell) }
        }
    }

    /// The page of the added cells and their run, with timelines from `events`.
    ///
    /// Without a chart library it has only tables, and says what to install.
    package func render(_ run: RunResult, events: EventFile? = nil, charts: ChartLibrary? = nil) -> [UInt8] {
        let timelines = attempts.blocks(events)
        var head = run
        head.cells = []
        let check = check?.redacted
        let origins = run.cellsOfShards.map { names in names.compactMap { places[$0] } }
        var data = PageJSON()
        data.object { json in
            json.add(run: head.redacted, check: check, cellsOfShards: origins)
            json.add("attempts", attempts.count)
            json.add("timelines", timelines.count)
            json.add("timelineBytes", attempts.mostBytes)
            json.add("hasEvents", events != nil)
            json.add("hasCharts", charts != nil)
        }
        var page = PageParts.head(charts, around: summary(of: head.redacted, check).html.utf8)
        // The cells are the last member.
        Self.append(data.bytes.dropLast() + ",\"cells\":[".utf8 + rows + "]}".utf8, id: "run", to: &page)
        page += PageParts.program(charts)
        page += blocks
        page += timelines.bytes
        page += PageParts.end
        return page
    }

    /// The content of the page without JavaScript.
    private func summary(of run: RunResult, _ check: ClientReport?) -> StaticPage {
        guard let check else {
            return StaticPage(
                verdict: run.verdict, meaning: run.exitText(),
                counts: run.countText(of: summaries.map { ($0.state, $0.decides) }), rows: summaries,
                left: run.leftText)
        }
        return StaticPage(
            verdict: check.verdict, meaning: check.exitText(), counts: check.countText, isOfCheck: true,
            rows: check.rows.map { PageRow($0) })
    }

    /// The page of a whole result, without timelines.
    static func page(of run: RunResult) -> String {
        var report = HTMLReport()
        report.add(run.cells)
        return String(decoding: report.render(run, charts: ChartLibrary()), as: UTF8.self)
    }

    static func append(_ json: some Collection<UInt8>, id: String, to page: inout [UInt8]) {
        page += "<script type=\"application/json\" id=\"\(id)\">".utf8
        page += json
        page += "</script>\n".utf8
    }
}
