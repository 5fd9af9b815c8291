package import Results

/// A form in which a result is written.
package enum ReportFormat: String, CaseIterable, Sendable {
    case text
    case json
    case junit
    case markdown
    case html

    /// The name of the file in a results folder; nil for text, which is for the terminal.
    package var fileName: String? {
        switch self {
        case .text: nil
        case .json: "result.json"
        case .junit: "junit.xml"
        case .markdown: "summary.md"
        case .html: "report.html"
        }
    }

    /// The name of the timeline's file in a results folder.
    package static let eventsFileName = "events.jsonl"

    /// The result in this form, without secrets.
    ///
    /// Throws only for JSON, and only for a number that JSON cannot hold.
    package func render(_ run: RunResult, palette: Palette = .plain) throws -> String {
        switch self {
        case .text: TextReport(palette: palette).render(run)
        case .json: String(decoding: try run.redacted.json(), as: UTF8.self)
        case .junit: JUnitReport.render(run)
        case .markdown: MarkdownReport.render(run)
        case .html: HTMLReport.page(of: run)
        }
    }
}
