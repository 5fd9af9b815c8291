/// One of two results that are compared: its measurements, and the verdicts of its cells.
package struct ComparedResult: Hashable, Sendable {
    package var baseline: StoredBaseline
    /// The verdict of each cell by its name: `pass` if the cell does not decide.
    ///
    /// Empty for a baseline, all of whose cells passed.
    package var verdicts: [String: Verdict]
    /// The first problem of each cell, as a sentence without a full stop.
    package var faults: [String: String]
    /// Whether every cell that was planned has a verdict.
    package var isWhole: Bool

    /// A baseline, which is known to be good.
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

    /// The names of all cells, including those that cannot be compared.
    var names: [String] {
        let measured = baseline.cells.map(\.name)
        return measured + verdicts.keys.filter { !measured.contains($0) }.sorted()
    }
}
