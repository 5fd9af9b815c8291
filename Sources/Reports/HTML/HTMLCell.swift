package import Results

/// What a page has of one cell: it can be made apart from the page, on any thread, and its secrets are taken out.
package struct HTMLCell: Sendable {
    /// As the result has it.
    let name: String
    /// An element of the run's list of cells.
    let row: [UInt8]
    /// What is read when the cell is looked at.
    let block: [UInt8]
    let candidates: [TimelineCandidate]
    /// What is said of it without JavaScript.
    let summary: PageRow

    package init(_ cell: CellResult) {
        name = cell.name
        let cell = cell.redacted
        var row = PageJSON()
        row.row(of: cell)
        self.row = row.bytes
        var block = PageJSON()
        block.cell(cell)
        self.block = block.bytes
        candidates = TimelineCandidate.all(of: cell)
        summary = PageRow(cell)
    }
}
