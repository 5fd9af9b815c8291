package import Results

/// The data of one cell in a page, without secrets; it can be made on any thread.
package struct HTMLCell: Sendable {
    /// The name as the result has it.
    let name: String
    /// The JSON of its element in the run's list of cells.
    let row: [UInt8]
    /// The JSON that is read when the cell is opened.
    let block: [UInt8]
    let candidates: [TimelineCandidate]
    /// Its summary for readers without JavaScript.
    let summary: PageRow

    package init(_ cell: CellResult) {
        name = cell.name
        let cell = cell.redacted
        var row = PageJSON()
        row.object { $0.row(of: cell) }
        self.row = row.bytes
        var block = PageJSON()
        block.object { $0.cell(cell) }
        self.block = block.bytes
        candidates = TimelineCandidate.all(of: cell)
        summary = PageRow(cell)
    }
}
