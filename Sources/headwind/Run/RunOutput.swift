import Glibc
import LinuxSupport
import Reports
import ResultFiles
import Results
import SystemPackage
import Wording

extension RunResult {
    /// Prints the result as JSON; one that has more cells than are in memory as it is in its folder.
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

/// Shows the result of a run: on stdout, and to GitHub Actions where they run it.
struct RunOutput {
    var format: RunFormat
    var isVerbose: Bool
    /// Where the files are; nil where there are none.
    var folder: FilePath?
    /// The files that were written there.
    var files: [String]
    /// What stdout is for in the report's place; nil: for the report.
    var suggestion: SuggestedBudgets?
    /// What the process ends with.
    var ending: CommandEnding

    /// Shows the result in its form, and says where its files are.
    func show(_ result: RunResult) throws {
        let annotations = GitHubAnnotations.render(result, path: Self.repositoryPath)
        switch format {
        case .json: try result.printJSON(in: folder)
        case .github: show(annotations)
        case .text where suggestion != nil:
            let report = TextReport(hasFiles: folder != nil, isVerbose: isVerbose, process: ending.process)
            Console.note(TerminalText(report: report.render(result)))
            if let suggestion { show(suggestion) }
        case .text:
            let palette: Palette = Console.isColoured(1) ? .ansi : .plain
            let report = TextReport(
                palette: palette, hasFiles: folder != nil, isVerbose: isVerbose, process: ending.process)
            Console.out(TerminalText(report: report.render(result)))
            if Self.isGitHub { show(annotations) }
        }
        appendStepSummary(result)
        guard let folder, !files.isEmpty, format != .json else { return }
        Console.note("Reports are in \(folder): \(files.joined(separator: ", ")).")
    }

    /// Shows a report that ends its last line, if there is anything in it.
    private func show(_ report: String) {
        if !report.isEmpty { Console.out(TerminalText(report: String(report.dropLast()))) }
    }

    private func show(_ suggestion: SuggestedBudgets) {
        show(suggestion.text)
        for warning in suggestion.warnings { Console.note("Budgets for \(warning).") }
        for refusal in suggestion.refusals { Console.note("No budgets for \(refusal).") }
    }

    private static var isGitHub: Bool { Console.environment("GITHUB_ACTIONS") == "true" }

    /// The path of a file in the repository that a job of GitHub's has; nil for other files.
    static func repositoryPath(_ file: String) -> String? {
        ProjectFolder.name(of: FilePath(file), below: FilePath(Console.environment("GITHUB_WORKSPACE") ?? "."))
    }

    /// Adds the summary to that of the job.
    ///
    /// That it cannot be written is said, and changes nothing about the run.
    private func appendStepSummary(_ result: RunResult) {
        guard let path = Console.environment("GITHUB_STEP_SUMMARY"), !path.isEmpty else { return }
        do {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.append, .create, .closeOnExec, .nonBlocking],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try file.closeAfter {
                var status = stat()
                guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
                let room = MarkdownReport.mostBytes - Int(clamping: status.st_size) - 1
                guard room >= Self.leastSummary else {
                    return Console.note("The summary of this job is full already, and has none of this run's.")
                }
                let text = MarkdownReport.render(result, mostBytes: room, process: ending.process)
                _ = try file.writeAll(((status.st_size > 0 ? "\n" : "") + text).utf8)
            }
        } catch {
            Console.note("Could not add to the summary of this job, GITHUB_STEP_SUMMARY '\(path)': \(error).")
        }
    }

    /// Less room than this is not worth a heading.
    private static let leastSummary = 1000
}
