/// One of two results that are compared: what was measured, and what became of its cells.
package struct ComparedResult: Hashable, Sendable {
    package var baseline: StoredBaseline
    /// The verdict of each cell, if it counts; none is there of a baseline, all cells of which passed.
    package var verdicts: [String: Verdict]
    /// The first thing that is wrong with each cell, as a sentence without a full stop.
    package var faults: [String: String]
    /// Whether every cell that was planned has a verdict.
    package var isWhole: Bool

    /// A baseline: what is known to be good.
    package init(_ baseline: StoredBaseline) {
        (self.baseline, verdicts, faults, isWhole) = (baseline, [:], [:], true)
    }

    /// The result of a run.
    package init(_ run: RunResult) {
        self.init(StoredBaseline(run))
        isWhole = run.isWhole
        for cell in run.cells {
            verdicts[cell.name] = cell.decides ? cell.verdict : .pass
            faults[cell.name] = Self.fault(of: cell)
        }
    }

    private static func fault(of cell: CellResult) -> String? {
        let check = cell.checks.first { $0.decides && $0.verdict == cell.verdict }
        let finding = cell.findings.first { $0.attribution.row.verdict == cell.verdict }
        return (finding?.description ?? check.map { "\($0.name): \($0.sentence)" })?.withoutFullStop
    }

    /// The names of all cells, also of those that cannot be compared.
    var names: [String] {
        let measured = baseline.cells.map(\.name)
        return measured + verdicts.keys.filter { !measured.contains($0) }.sorted()
    }
}
