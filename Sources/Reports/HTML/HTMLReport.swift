package import Results

/// A result as one page that opens from disk: text and numbers as JSON in it, with the program that shows them.
///
/// Cells are added one after the other, and need not be kept. The data is in `script` elements that are read when they are looked
/// at: the run's, one for each cell, and one for each attempt whose timeline is in it.
package struct HTMLReport {
    private var rows: [UInt8] = []
    private var blocks: [UInt8] = []
    private var count = 0
    /// Which cell is where, by the cells' names.
    private var places: [String: Int] = [:]
    private var attempts = TimelineChoice()
    private var summaries: [PageRow] = []
    /// What a client was asked, and what came of it; nil for a run.
    package var check: ClientReport?

    /// `timelineBytes` is the most that timelines take of the page; by default so many that a browser reads it in a part of a
    /// second.
    package init(timelineBytes: Int = 12_000_000) { attempts.mostBytes = timelineBytes }

    /// Adds a cell, behind those that were added before.
    package mutating func add(_ cell: HTMLCell) {
        places[cell.name] = count
        if count > 0 { rows.append(UInt8(ascii: ",")) }
        rows += cell.row
        Self.append(cell.block, id: "c\(count)", to: &blocks)
        attempts.add(cell, at: count)
        summaries.append(cell.summary)
        count += 1
    }

    /// Adds cells, in their order.
    package mutating func add(_ cells: [CellResult]) {
        // No more than these are kept beside what is in the page already.
        for stretch in cells.stretches(of: 16) {
            for cell in stretch.concurrentMap({ HTMLCell($0) }) { add(cell) }
        }
    }

    /// The page: of the cells that were added, and the run that they are of, with what `events` has of their attempts.
    ///
    /// Without a library for charts it has tables alone, and says what to install.
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
        // The cells, as the last member.
        Self.append(data.bytes.dropLast() + ",\"cells\":[".utf8 + rows + "]}".utf8, id: "run", to: &page)
        page += PageParts.program(charts)
        page += blocks
        page += timelines.bytes
        page += PageParts.end
        return page
    }

    /// What the page says without JavaScript.
    private func summary(of run: RunResult, _ check: ClientReport?) -> StaticPage {
        guard let check else {
            return StaticPage(
                verdict: PageState(run.verdict), meaning: run.exitText(),
                counts: run.countText(of: summaries.map { ($0.state, $0.decides) }), rows: summaries,
                left: run.leftText)
        }
        return StaticPage(
            verdict: check.state, meaning: check.exitText(), counts: check.countText, isOfCheck: true,
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
