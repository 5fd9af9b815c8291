import LinuxSupport
import Reports
import ResultFiles
import Results
import SystemPackage
import Wording

extension RunResult {
    /// Prints the result as JSON; copies the file in its folder if not all cells are in memory.
    func printJSON(in folder: FilePath?) throws {
        guard left != nil, let folder else {
            return Console.out(TerminalText(json: try ReportFormat.json.render(self)))
        }
        let file = try FileDescriptor.open(folder.appending(ReportFormat.json.fileName ?? ""), .readOnly)
        try file.closeAfter {
            try file.readLines(most: 64 << 20, orThrow: OversizedInput(what: "a line of the result", most: 64 << 20)) {
                Console.out(TerminalText(json: String(decoding: $0.dropLast(), as: UTF8.self)))
            }
        }
    }
}

/// Shows the result of a run: on stdout, and in GitHub Actions if they run it.
struct RunOutput {
    var format: RunFormat
    var isVerbose: Bool
    /// The folder of the files; nil if there are none.
    var folder: FilePath?
    /// The names of the files that were written there.
    var files: [String]
    /// The budgets to print on stdout instead of the report; nil prints the report.
    var suggestion: SuggestedBudgets?
    /// The status that the process ends with.
    var ending: CommandEnding

    /// Shows the result in its format, and names its files.
    func show(_ result: RunResult) throws {
        let annotations = GitHubAnnotations.render(result, path: GitHubJob.repositoryPath)
        switch format {
        case .json: try result.printJSON(in: folder)
        case .github: show(annotations)
        case .text where suggestion != nil:
            let report = TextReport(hasFiles: folder != nil, isVerbose: isVerbose, process: ending.process)
            Console.note(TerminalText(report: report.render(result)))
            if let suggestion { show(suggestion) }
        case .text:
            let report = TextReport(
                palette: Console.palette, hasFiles: folder != nil, isVerbose: isVerbose, process: ending.process)
            Console.out(TerminalText(report: report.render(result)))
            if GitHubJob.isHere { show(annotations) }
        }
        GitHubJob.addToSummary { MarkdownReport.render(result, mostBytes: $0, process: ending.process) }
        guard let folder, !files.isEmpty, format != .json else { return }
        Console.note("Reports are in \(folder): \(files.joined(separator: ", ")).")
    }

    /// Shows a report that ends with a newline, unless it is empty.
    private func show(_ report: String) {
        if !report.isEmpty { Console.out(TerminalText(report: String(report.dropLast()))) }
    }

    private func show(_ suggestion: SuggestedBudgets) {
        show(suggestion.text)
        for warning in suggestion.warnings { Console.note("Budgets for \(warning).") }
        for refusal in suggestion.refusals { Console.note("No budgets for \(refusal).") }
    }
}
