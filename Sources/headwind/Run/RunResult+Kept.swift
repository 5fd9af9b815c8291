import Reports
import Results

extension RunResult {
    /// The result as it may be kept for longer than its folder: also the names of cells, which come from the matrix, are without
    /// secrets.
    var kept: RunResult {
        var kept = redacted
        for index in kept.cells.indices {
            kept.cells[index].point = kept.cells[index].point.map {
                .init(axis: $0.axis, value: Redaction.text($0.value))
            }
        }
        return kept
    }
}
