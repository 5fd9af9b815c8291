package import Results
import Wording

/// A result for a terminal: the cells that did not fail, each with its checks, measured against limit, set against measured;
/// and then the failures, those of one cause together.
package struct TextReport: Sendable {
    package var palette: Palette
    /// Whether the run has left files, in which more can be looked up.
    package var hasFiles: Bool
    /// Whether what held in cells that failed is told too, and hashes, and where bugs are in the timeline.
    package var isVerbose: Bool
    /// Another status than the run's own that the process ends with.
    package var process: ProcessStatus?

    package init(
        palette: Palette = .plain, hasFiles: Bool = true, isVerbose: Bool = false, process: ProcessStatus? = nil
    ) {
        self.palette = palette
        self.hasFiles = hasFiles
        self.isVerbose = isVerbose
        self.process = process
    }

    /// The whole result, with a line's end at the end.
    package func render(_ run: RunResult) -> String {
        let run = run.redacted
        let origins = run.originTexts
        let failed = run.cells.filter { $0.decides && $0.verdict == .fail }
        let others = run.cells.filter { !($0.decides && $0.verdict == .fail) }
        var lines = others.flatMap { cellLines($0, from: origins[$0.name]) + [""] }
        lines += FailureGroup.groups(of: failed).flatMap { groupLines($0, run, origins) + [""] }
        lines += run.findings.flatMap(findingLines)
        lines += run.linkTexts.map { palette.dim($0.singleLine) }
        let summary = run.countText + "; " + run.factText
        lines += [palette.paint(run.verdict.word, run.verdict) + "  " + summary.singleLine]
        lines.append(run.exitText(process).singleLine)
        if run.verdict != .pass { lines.append(("Again: " + run.commandText).singleLine) }
        return (isVerbose ? lines : lines.map(\.withoutHashes)).joined(separator: "\n") + "\n"
    }

    private static let indent = "        "
    /// Cells of one cause that are told one by one.
    private static let shownCells = 5

    /// A cell by itself.
    private func cellLines(_ cell: CellResult, from origin: String?) -> [String] {
        let verdict = palette.paint(cell.word.padded(to: 6), cell.decides ? cell.verdict : .inconclusive)
        var lines = ["\(verdict)  \(cell.name.singleLine)"] + headLines(cell, from: origin)
        lines += checkLines(cell.checks, of: cell)
        lines += cell.findingsByKind.flatMap(findingLines)
        for failure in cell.failures {
            guard let evidence = failure.evidence else { continue }
            lines.append(Self.indent + "bug     " + failure.cause.conclusion)
            lines.append(Self.indent + "seen    " + evidence.singleLine)
        }
        lines += cell.advice.prefix(CellResult.shownAdvice).map(adviceLine)
        return lines + tailLines(cell) + againLines(cell)
    }

    /// The failures of one cause: the conclusion, then what shows it, then what to do.
    private func groupLines(_ group: FailureGroup, _ run: RunResult, _ origins: [String: String]) -> [String] {
        var lines = [palette.paint("FAIL  ", .fail) + "  " + group.cause.conclusion]
        let shown = isVerbose ? group.members : Array(group.members.prefix(Self.shownCells))
        for member in shown {
            lines.append(Self.indent + member.cell.name.singleLine)
            let failed = member.failure.checks
            var checks = failed
            if member.isFirst {
                lines += headLines(member.cell, from: origins[member.cell.name])
                checks += member.cell.checks.filter { check in
                    !failed.contains(check) && (isVerbose || check.verdict != .pass && check.verdict != .fail)
                }
            }
            lines += checkLines(checks, of: member.cell)
            lines += member.cell.findingsByKind.filter { finding in
                member.failure.findings.contains { $0.attribution == finding.attribution }
            }.flatMap(findingLines)
            if let evidence = member.failure.evidence { lines.append(Self.indent + "seen    " + evidence.singleLine) }
            if isVerbose, let event = member.failure.diagnosis?.event { lines.append(Self.indent + "event   " + event) }
            if member.isFirst { lines += tailLines(member.cell, hasLink: isVerbose) }
            lines += againLines(member.cell, run)
        }
        let rest = group.members.dropFirst(shown.count).map(\.cell.name.singleLine)
        if !rest.isEmpty { lines.append(Self.indent + "and \(rest.count) more: " + rest.joined(separator: ", ")) }
        if case .bug(let bug) = group.cause { lines.append(Self.indent + "bug     \(bug.rawValue)") }
        return lines + group.advice.map(adviceLine)
    }

    private func headLines(_ cell: CellResult, from origin: String?) -> [String] {
        (cell.titles + cell.gatingTexts).map { Self.indent + $0.singleLine }
            + [cell.linkText, origin].compactMap { $0 }.map { Self.indent + palette.dim($0.singleLine) }
    }

    /// What the client said, what was measured of the link, and notes.
    private func tailLines(_ cell: CellResult, hasLink: Bool = true) -> [String] {
        cell.lastWords.map { Self.indent + "said    " + $0.singleLine }
            + (hasLink ? cell.measurementTexts : []).map { Self.indent + "link    " + palette.dim($0.singleLine) }
            + cell.notes.map { Self.indent + "note    " + $0.singleLine }
    }

    /// How to have a failure again, and where to look.
    private func againLines(_ cell: CellResult, _ run: RunResult? = nil) -> [String] {
        let keeping = cell.replayCommand == nil ? run?.command(asking: cell) : nil
        var lines = [cell.replayCommand ?? keeping].compactMap { $0 }.map { Self.indent + "again   " + $0.singleLine }
        if hasFiles {
            lines += cell.places.map { Self.indent + "look    " + $0.singleLine }
        } else if !cell.places.isEmpty, keeping == nil {
            lines.append(Self.indent + "look    write --output DIR to see what happened when, in DIR/events.jsonl")
        }
        return lines
    }

    private func adviceLine(_ text: String) -> String { Self.indent + "advice  a good client: " + text.singleLine }

    private func checkLines(_ checks: [CheckResult], of cell: CellResult) -> [String] {
        let width = min(40, checks.map(\.title.count).max() ?? 0)
        return checks.flatMap { check in
            var lines = [checkLine(check, width: width, counts: cell.verdict != .infrastructure)]
            if check.verdict != .pass {
                lines += check.askedText.map { ["        " + palette.dim($0.singleLine)] } ?? []
                lines += check.gatingText.map { ["        " + $0.singleLine] } ?? []
            }
            return lines.map { Self.indent + $0 }
        }
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
