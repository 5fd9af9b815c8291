package import Results
import Wording

/// A result as workflow commands of GitHub Actions: an annotation for each cell that does not pass, the worst first.
///
/// GitHub keeps ten of each kind per step, and drops others silently. If there are more, nine are written, and one with
/// the number of the others. A cell that does not fail the run gets a warning.
package enum GitHubAnnotations {
    /// The number of annotations of one kind that GitHub keeps per step.
    static let most = 10
    /// The most characters of a message; more do not help in a list of files.
    private static let mostMessage = 2000

    /// The commands, one per line; empty if all cells passed.
    ///
    /// `path` maps a file to its path in the repository, or to nil if it is not there.
    package static func render(
        _ run: RunResult, path: (String) -> String? = { $0.hasPrefix("/") ? nil : $0 }
    ) -> String {
        let run = run.redacted
        let ranked = run.cells.enumerated().sorted {
            ($1.element.exitCode, $0.offset) < ($0.element.exitCode, $1.offset)
        }
        var annotations = run.findings.map { Annotation(finding: $0, in: run) }
        annotations += ranked.compactMap { Annotation(cell: $0.element, in: run, path) }
        return commands(annotations)
    }

    /// The commands for a check: one for each cause of failures, and one if checks could not be measured.
    package static func render(_ check: ClientReport) -> String {
        let report = check.redacted
        var annotations = report.causes.map { rows in
            Annotation(
                kind: .error, title: "headwind check: \(rows[0].severity?.words ?? "fails")",
                message: "\(rows[0].conclusion ?? "")\nin: \(rows.map(\.name).joined(separator: ", "))"
                    + (rows[0].advice.map { "\na good client: \($0)" } ?? ""))
        }
        let unmeasured = report.rows(.notMeasured)
        if !unmeasured.isEmpty {
            annotations.append(
                Annotation(
                    kind: .warning, title: "headwind check: not measured",
                    message: "\(unmeasured.map(\.name).joined(separator: ", "))\n\(unmeasured[0].detail.singleLine)"))
        }
        return commands(annotations)
    }

    private static func commands(_ annotations: [Annotation]) -> String {
        Annotation.Kind.allCases.flatMap { kind in
            let all = annotations.filter { $0.kind == kind }
            guard all.count > most else { return all }
            let more = Annotation(
                kind: kind, title: "… and \(all.count - most + 1) more",
                message:
                    "GitHub shows \(most) per step. The report, summary.md and junit.xml have all of them.")
            return all.prefix(most - 1) + [more]
        }.map { $0.command + "\n" }.joined()
    }

    private struct Annotation {
        enum Kind: String, CaseIterable { case error, warning }

        var kind: Kind
        var title: String
        var message: String
        var file: String?
        var line: Int?

        init(kind: Kind, title: String, message: String) {
            (self.kind, self.title, self.message) = (kind, title, message)
        }

        init(finding: Finding, in run: RunResult) {
            kind = run.exitCode == 0 ? .warning : .error
            title = "\(finding.attribution.row.verdict.word): the run"
            message = "\(finding.description.singleLine)\n\(finding.attribution.row.remedy)"
        }

        /// Nil if there is nothing to report.
        init?(cell: CellResult, in run: RunResult, _ path: (String) -> String?) {
            let checks = cell.checks.filter { $0.verdict != .pass }
            guard cell.verdict != .pass || !checks.isEmpty || cell.againText != nil else { return nil }
            let passes = !cell.decides || cell.verdict == .inconclusive && run.onInconclusive != nil
            kind = cell.exitCode == 0 || passes || run.exitCode == 0 ? .warning : .error
            title = "\(cell.verdict == .pass ? "warn" : cell.word): \(cell.name)"
            let own = cell.titles + cell.gatingTexts + cell.findingsByKind.map(\.description)
            var lines =
                own
                + checks.map { check in
                    "\(check.word) \(check.title): \(check.sentence)" + (check.gatingText.map { " (\($0))" } ?? "")
                }
            lines += cell.bugs.map { "bug: \($0.title)" }
            lines += cell.replayElsewhere.map { ["again: download the results, then: \($0)"] } ?? []
            message = lines.map(\.singleLine).joined(separator: "\n")
            file = cell.source.flatMap { path($0.file) }
            line = file == nil ? nil : cell.source?.line
        }

        var command: String {
            var properties: [String] = []
            if let file { properties.append("file=\(file.singleLine.gitHubProperty)") }
            if let line { properties.append("line=\(line)") }
            properties.append("title=\(title.singleLine.gitHubProperty)")
            var text = message
            if text.count > mostMessage { text = text.prefix(mostMessage) + "…" }
            return "::\(kind.rawValue) \(properties.joined(separator: ","))::\(text.gitHubData)"
        }
    }
}

extension String {
    /// The text escaped as the data of a workflow command.
    fileprivate var gitHubData: String {
        // By scalars: '%' with a combining mark after it is one Character, which no key here equals.
        let escapes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
        return unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }

    /// The text escaped as the value of a workflow command's property.
    fileprivate var gitHubProperty: String {
        gitHubData.replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
