package import Results

/// A format of a result.
package enum ReportFormat: String, CaseIterable, Sendable {
    case text
    case json
    case junit
    case markdown
    case openmetrics
    /// Annotations of GitHub Actions, which are only printed.
    case github
    case html

    /// The name of the file in a folder of results; nil for a format that is only printed.
    package var fileName: String? {
        switch self {
        case .text, .github: nil
        case .json: "result.json"
        case .junit: "junit.xml"
        case .markdown: "summary.md"
        case .openmetrics: "metrics.txt"
        case .html: "report.html"
        }
    }

    /// The name of the file of events in a folder of results.
    package static let eventsFileName = "events.jsonl"

    /// The result in this format, without secrets.
    ///
    /// `folder` is the folder of the results relative to the project's, for readers of JUnit attachments (default:
    /// nil). Throws only for JSON, and only for a number that JSON cannot hold.
    package func render(_ run: RunResult, palette: Palette = .plain, folder: String? = nil) throws -> String {
        switch self {
        case .text: TextReport(palette: palette).render(run)
        case .json: String(decoding: try run.redacted.json(), as: UTF8.self)
        case .junit: JUnitReport.render(run, folder: folder)
        case .markdown: MarkdownReport.render(run)
        case .openmetrics: OpenMetricsReport.render(run)
        case .github: GitHubAnnotations.render(run)
        case .html: HTMLReport.page(of: run)
        }
    }

    /// The reports that cover all cells, by file name: all except JSON and the page.
    ///
    /// Secrets are removed once for all of them. `folder` as in ``render(_:palette:folder:)``.
    package static func overviews(of run: RunResult, folder: String?) -> [(name: String, text: () -> String)] {
        let run = run.redacted
        let texts: [(Self, () -> String)] = [
            (.junit, { JUnitReport.render(run, folder, JUnitReport.Limits()) }),
            (.markdown, { MarkdownReport.render(redacted: run) }),
            (.openmetrics, { OpenMetricsReport.render(redacted: run) }),
        ]
        return texts.compactMap { format, text in format.fileName.map { ($0, text) } }
    }
}
