package import Results
import Wording

/// A result as Markdown, for a job's summary: an overview, then each cell, the worst first.
package enum MarkdownReport {
    /// The most bytes of a summary (default: 900,000).
    ///
    /// GitHub drops a job's summary larger than 1 MiB entirely.
    package static let mostBytes = 900_000

    /// The whole result, or as much of it as fits, ending in a line feed.
    ///
    /// With a `check`, the first lines count checks, as its text report does. `process` is the exit status of the
    /// process, if it is not the run's.
    package static func render(
        _ run: RunResult, of check: ClientReport? = nil, mostBytes: Int = mostBytes, process: ProcessStatus? = nil
    ) -> String {
        render(redacted: run.redacted, of: check, mostBytes, process)
    }

    /// The same for a result that is already redacted.
    static func render(
        redacted run: RunResult, of check: ClientReport? = nil, _ mostBytes: Int = mostBytes,
        _ process: ProcessStatus? = nil
    ) -> String {
        let ranked = run.cells.enumerated().sorted {
            ($1.element.verdict.exitCode, $0.offset) < ($0.element.verdict.exitCode, $1.offset)
        }
        // A check may hold although cells fail: they say nothing about this client.
        var text = "# Headwind: \((check?.verdict ?? run.verdict).rawValue)\n\n"
        let (count, exit) = (check?.countText ?? run.countText, check?.exitText(process) ?? run.exitText(process))
        text += "\(count.markdownEscaped). \(exit.markdownEscaped)\n\n"
        text += "\(run.factText.markdownEscaped)\n\n"
        text += run.linkTexts.map { "- \($0.markdownEscaped)\n" }.joined() + (run.linkTexts.isEmpty ? "" : "\n")
        for finding in run.findings.prefix(20) { text += line(finding) + "\n" }
        if !run.findings.isEmpty { text += "\n" }
        let reserve = 200
        if text.utf8.count + reserve > mostBytes {
            return text.beginning(mostBytes - reserve)
                + "\n\n… the rest did not fit; result.json has everything.\n"
        }
        let origins = run.originTexts
        for (index, cell) in ranked.map(\.element).enumerated() {
            let section = section(cell, from: origins[cell.name])
            guard text.utf8.count + section.utf8.count + reserve <= mostBytes else {
                let count = ranked.count - index + (run.left?.count ?? 0)
                return text + "… and \(count) more cells; they are all in result.json.\n"
            }
            text += section
        }
        return text + (run.leftText.map { "… \($0).\n" } ?? "")
    }

    private static func section(_ cell: CellResult, from origin: String?) -> String {
        var text = "## \(cell.word): \(cell.name.markdownEscaped)\n\n"
        text += cell.titles.map { $0.markdownEscaped + "\n\n" }.joined()
        text += cell.gatingTexts.map { $0.markdownEscaped + "\n\n" }.joined()
        text += [cell.linkText(), origin].compactMap { $0 }.map { $0.markdownEscaped + "\n\n" }.joined()
        if !cell.checks.isEmpty {
            text += "| | check | limit | measured |\n|---|---|---|---|\n"
            for check in cell.checks {
                let sentence = [check.sentence, check.gatingText].compactMap { $0 }.joined(separator: "; ")
                let columns = [check.word, check.title, check.asked, sentence].map(\.markdownEscaped)
                text += "| \(columns.joined(separator: " | ")) |\n"
            }
            text += "\n"
        }
        var items = cell.findingsByKind.map(line)
        items += cell.bugs.map { bug in
            "- bug: **\(bug.title.markdownEscaped)** " + bug.lines.map(\.markdownEscaped).joined(separator: " · ")
        }
        items += cell.advice.prefix(CellResult.shownAdvice).map { "- a good client: \($0.markdownEscaped)" }
        items += cell.lastWords.map { "- the client said: \($0.markdownEscaped)" }
        items += cell.measurementTexts.map { "- link: \($0.markdownEscaped)" }
        items += cell.notes.prefix(20).map { "- \($0.markdownEscaped)" }
        items += cell.replayElsewhere.map { ["- again, in a copy of the results: \($0.markdownCode)"] } ?? []
        items += cell.places.map { "- look at \($0.markdownEscaped)" }
        return text + items.map { $0 + "\n" }.joined() + "\n"
    }

    private static func line(_ finding: Finding) -> String {
        "- **\(finding.attribution.row.verdict.word)** \(finding.description.markdownEscaped) "
            + finding.attribution.row.remedy.markdownEscaped
    }
}
