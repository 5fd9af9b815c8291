package import Results
import Wording

/// A result for a terminal: each cell with its checks, measured against limit, set against measured, where to look.
package struct TextReport: Sendable {
    package var palette: Palette
    /// Whether the run has left files, in which more can be looked up.
    package var hasFiles: Bool
    /// Another status than the run's own that the process ends with.
    package var process: ProcessStatus?

    package init(palette: Palette = .plain, hasFiles: Bool = true, process: ProcessStatus? = nil) {
        self.palette = palette
        self.hasFiles = hasFiles
        self.process = process
    }

    /// The whole result, with a line's end at the end.
    package func render(_ run: RunResult) -> String {
        let run = run.redacted
        let origins = run.originTexts
        var lines = run.cells.flatMap { cellLines($0, from: origins[$0.name]) + [""] }
        lines += run.findings.flatMap(findingLines)
        lines += run.linkTexts.map { palette.dim($0.singleLine) }
        let summary = run.countText + "; " + run.factText
        lines += [palette.paint(run.verdict.word, run.verdict) + "  " + summary.singleLine]
        lines.append(run.exitText(process).singleLine)
        if run.verdict != .pass { lines.append(("Again: " + run.commandText).singleLine) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One cell, as it is shown when it is done, with a line's end at the end.
    package func render(_ cell: CellResult) -> String { cellLines(cell.redacted).joined(separator: "\n") + "\n" }

    private static let indent = "        "

    private func cellLines(_ cell: CellResult, from origin: String? = nil) -> [String] {
        let verdict = palette.paint(cell.word.padded(to: 6), cell.decides ? cell.verdict : .inconclusive)
        var lines = ["\(verdict)  \(cell.name.singleLine)"] + cell.titles.map { Self.indent + $0.singleLine }
        lines += cell.gatingTexts.map { Self.indent + $0.singleLine }
        lines += [cell.linkText, origin].compactMap { $0 }.map { Self.indent + palette.dim($0.singleLine) }
        let width = min(40, cell.checks.map(\.title.count).max() ?? 0)
        for check in cell.checks {
            lines.append(Self.indent + checkLine(check, width: width, counts: cell.verdict != .infrastructure))
            if check.verdict != .pass, let asked = check.askedText {
                lines.append(Self.indent + "        " + palette.dim(asked.singleLine))
            }
            if check.verdict != .pass, let gating = check.gatingText {
                lines.append(Self.indent + "        " + gating.singleLine)
            }
        }
        lines += cell.findingsByKind.flatMap(findingLines)
        lines += cell.diagnosesByBug.flatMap { bug in
            [Self.indent + "bug     " + bug.title.singleLine]
                + bug.lines.map { Self.indent + "        " + palette.dim($0.singleLine) }
        }
        lines += cell.advice.prefix(CellResult.shownAdvice).map {
            Self.indent + "advice  a good client: " + $0.singleLine
        }
        lines += cell.lastWords.map { Self.indent + "said    " + $0.singleLine }
        lines += cell.measurementTexts.map { Self.indent + "link    " + palette.dim($0.singleLine) }
        lines += cell.notes.map { Self.indent + "note    " + $0.singleLine }
        if let command = cell.replayCommand { lines.append(Self.indent + "again   " + command.singleLine) }
        if hasFiles {
            lines += cell.places.map { Self.indent + "look    " + $0.singleLine }
        } else if !cell.places.isEmpty {
            lines.append(Self.indent + "look    write --output DIR to see what happened when, in DIR/events.jsonl")
        }
        return lines
    }

    private func checkLine(_ check: CheckResult, width: Int, counts: Bool) -> String {
        let word = palette.paint(check.word.padded(to: 6), check.decides ? check.verdict : .inconclusive)
        let remark = counts || check.verdict == .infrastructure ? "" : " (does not count)"
        // What breaks a limit is told with it, in a line of its own.
        let limit = check.verdict == .pass ? check.basisText.map { " (\($0))" } ?? "" : ""
        return
            "\(word)  \(check.title.singleLine.padded(to: width))  \(check.sentence.singleLine)\(limit.singleLine)\(remark)"
    }

    private func findingLines(_ finding: Finding) -> [String] {
        let row = finding.attribution.row
        let word = palette.paint(row.verdict.word.padded(to: 6), row.verdict)
        return [
            Self.indent + "\(word)  \(finding.description.singleLine)",
            Self.indent + "        " + palette.dim(row.remedy),
        ]
    }
}
