package import Results
import Wording

/// A result for a terminal.
///
/// First a line for each cell that passes, then what went wrong, grouped by cause, then the counts.
package struct TextReport: Sendable {
    package var palette: Palette
    /// Whether the run wrote files with more details (default: true).
    package var hasFiles: Bool
    /// Whether to show every check, the measurements of each link, hashes, and where bugs are in the timeline.
    ///
    /// The default is false.
    package var isVerbose: Bool
    /// The exit status of the process, if it is not the run's own.
    package var process: ProcessStatus?

    package init(
        palette: Palette = .plain, hasFiles: Bool = true, isVerbose: Bool = false, process: ProcessStatus? = nil
    ) {
        self.palette = palette
        self.hasFiles = hasFiles
        self.isVerbose = isVerbose
        self.process = process
    }

    /// The whole result, ending in a line feed.
    package func render(_ run: RunResult) -> String {
        let run = run.redacted
        let origins = run.originTexts
        let failed = run.cells.filter { $0.decides && $0.verdict == .fail }
        let passed = run.cells.filter { isShort($0) }
        let others = run.cells.filter { !($0.decides && $0.verdict == .fail) && !isShort($0) }
        var lines = passLines(passed, origins)
        lines += others.flatMap { cellLines($0, from: origins[$0.name]) + [""] }
        lines += FailureGroup.groups(of: failed).flatMap { groupLines($0, run, origins) + [""] }
        if let left = run.leftText { lines += ["… \(left).", ""] }
        lines += run.findings.flatMap { findingLines($0) }
        lines += run.linkTexts.map { palette.dim($0.singleLine) }
        if run.verdict != .pass { lines.append(("Again: " + run.commandText).singleLine) }
        lines.append(run.exitText(process).singleLine)
        let summary = run.countText + "; " + run.factText
        lines += [palette.paint(run.verdict.word, run.verdict) + "  " + summary.singleLine]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let indent = "        "
    /// The most cells of one cause that are listed one by one.
    private static let shownCells = 3

    /// Whether one line suffices for a cell.
    private func isShort(_ cell: CellResult) -> Bool { !isVerbose && cell.verdict == .pass && cell.gating == nil }

    /// Cells that pass, one line each and their notes: name, title, and number of attempts.
    private func passLines(_ cells: [CellResult], _ origins: [String: String]) -> [String] {
        guard !cells.isEmpty else { return [] }
        let names = TextTable.lines(cells.map { [$0.name.singleLine, ($0.titles.first ?? "").singleLine] })
        return zip(cells, names).flatMap { cell, line in
            let remarks = [
                cell.nearestLimit, cell.attemptText(isVerbose: isVerbose), cell.againText.map { _ in "second try" },
                origins[cell.name],
            ]
            let head =
                palette.paint(Verdict.pass.word, .pass) + "  " + line
                + palette.dim("  (\(remarks.compactMap(\.self).joined(separator: ", ").singleLine))")
            return [head] + noteLines(cell)
        } + [""]
    }

    /// A cell by itself.
    private func cellLines(_ cell: CellResult, from origin: String?) -> [String] {
        let verdict = palette.paint(cell.word.padded(to: 6), cell.decides ? cell.verdict : .inconclusive)
        var lines = ["\(verdict)  \(cell.name.singleLine)"] + headLines(cell, from: origin)
        lines += checkLines(isVerbose ? cell.checks : cell.checks.filter { $0.verdict != .pass }, of: cell)
        lines += cell.findingsByKind.flatMap { findingLines($0) }
        for failure in cell.failures {
            guard let evidence = failure.evidence else { continue }
            lines.append(Self.indent + "bug     " + failure.cause.conclusion)
            lines.append(Self.indent + "seen    " + shown(evidence))
        }
        lines += cell.advice.prefix(CellResult.shownAdvice).map(adviceLine)
        return lines + tailLines(cell) + againLines(cell)
    }

    /// The failures of one cause: the conclusion, the evidence, and the advice.
    private func groupLines(_ group: FailureGroup, _ run: RunResult, _ origins: [String: String]) -> [String] {
        var lines = [palette.paint("FAIL  ", .fail) + "  " + group.cause.conclusion]
        let bug = group.members.first?.failure.diagnosis.map { "\($0.bug.rawValue), " } ?? ""
        lines.append(Self.indent + palette.dim("\(bug)in \(group.members.count.counted("cell")):"))
        let shown = isVerbose ? group.members : Array(group.members.prefix(Self.shownCells))
        for member in shown {
            lines += memberLines(member, from: origins[member.cell.name])
            if isVerbose { lines += againLines(member.cell, run) }
            lines.append("")
        }
        let rest = group.members.dropFirst(shown.count).map(\.cell.name.singleLine)
        if !rest.isEmpty { lines.append(Self.indent + "and \(rest.count) more: " + rest.joined(separator: ", ")) }
        lines += group.advice.map(adviceLine)
        if !isVerbose, let first = shown.first { lines += againLines(first.cell, run) }
        return lines
    }

    /// A cell that failed: the broken checks, and the evidence.
    private func memberLines(_ member: FailureGroup.Member, from origin: String?) -> [String] {
        let (cell, failure) = (member.cell, member.failure)
        var lines = [Self.indent + cell.name.singleLine]
        var checks = failure.checks
        if member.isFirst {
            lines += headLines(cell, from: origin)
            checks += cell.checks.filter { check in
                !failure.checks.contains(check) && (isVerbose || check.verdict != .pass && check.verdict != .fail)
            }
        }
        lines += checkLines(checks, of: cell)
        let found = cell.findingsByKind.filter { finding in
            failure.findings.contains { $0.attribution == finding.attribution }
        }
        // A check already shows the exit status.
        lines += found.filter { isVerbose || failure.checks.isEmpty || $0.attribution != .clientFailed }.flatMap {
            findingLines($0, hasRemedy: isVerbose || failure.diagnosis == nil)
        }
        if let evidence = failure.evidence { lines.append(Self.indent + "seen    " + shown(evidence)) }
        if isVerbose, let event = failure.diagnosis?.event { lines.append(Self.indent + "event   " + event) }
        return lines + (member.isFirst ? tailLines(cell) : [])
    }

    private func headLines(_ cell: CellResult, from origin: String?) -> [String] {
        (cell.titles + cell.gatingTexts).map { Self.indent + $0.singleLine }
            + [cell.linkText(isVerbose: isVerbose), origin].compactMap { $0 }.map {
                Self.indent + palette.dim($0.singleLine)
            }
    }

    /// The client's last output, the measurements that deviate from the settings, and notes.
    private func tailLines(_ cell: CellResult) -> [String] {
        // The last line of a stack trace matters most.
        (isVerbose ? cell.lastWords : cell.lastWords.suffix(1)).map { Self.indent + "said    " + $0.singleLine }
            + (isVerbose ? cell.measurementTexts : cell.deviationTexts).map {
                Self.indent + "link    " + palette.dim($0.singleLine)
            }
            + noteLines(cell)
    }

    private func noteLines(_ cell: CellResult) -> [String] {
        cell.notes.map { Self.indent + "note    " + $0.singleLine }
    }

    /// How to repeat a failure, and where to look.
    private func againLines(_ cell: CellResult, _ run: RunResult? = nil) -> [String] {
        let keeping = cell.replayCommand == nil ? run?.command(asking: cell) : nil
        var lines = [cell.replayCommand ?? keeping].compactMap { $0 }.map { Self.indent + "again   " + $0.singleLine }
        if hasFiles {
            lines += cell.places.map { Self.indent + "look    " + $0.singleLine }
        } else if !cell.places.isEmpty, keeping == nil {
            lines.append(Self.indent + "look    run with --output DIR for a timeline, in DIR/events.jsonl")
        }
        return lines
    }

    /// The text as shown: on one line, and without hashes unless the report is verbose.
    private func shown(_ text: String) -> String { isVerbose ? text.singleLine : text.withoutHashes.singleLine }

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
        // A broken limit is shown in a line of its own.
        let limit = check.verdict == .pass ? check.basisText.map { " (\($0))" } ?? "" : ""
        return
            "\(word)  \(check.title.singleLine.padded(to: width))  \(shown(check.sentence))\(limit.singleLine)\(remark)"
    }

    private func findingLines(_ finding: Finding, hasRemedy: Bool = true) -> [String] {
        let row = finding.attribution.row
        let word = palette.paint(row.verdict.word.padded(to: 6), row.verdict)
        return [Self.indent + "\(word)  \(shown(finding.description))"]
            + (hasRemedy ? [Self.indent + "        " + palette.dim(row.remedy)] : [])
    }
}

/// Colours for a terminal, or none.
package enum Palette: Sendable {
    case plain
    /// ECMA-48 sequences, for a terminal whose user has not set NO_COLOR.
    case ansi

    /// The text in the colour of a verdict.
    func paint(_ text: String, _ verdict: Verdict) -> String {
        let code =
            switch verdict {
            case .pass: "32"
            case .infrastructure: "35"
            case .inconclusive: "33"
            case .fail: "31;1"
            }
        return self == .plain ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// The text less prominent.
    func dim(_ text: String) -> String { self == .plain ? text : "\u{1B}[2m\(text)\u{1B}[0m" }
}
