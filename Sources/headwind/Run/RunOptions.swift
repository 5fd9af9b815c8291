import ArgumentParser
import Harness
import LinkModel
import LinuxSupport
import Redaction
import Reports
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Wording

/// How `headwind run` prints its result.
enum RunFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case github
}

/// Options for the files of a run other than --output, and for how it prints its result.
struct OutputFiles: ParsableArguments {
    @Option(help: "The format on stdout: text, json, or github (annotations of GitHub Actions only).")
    var format = RunFormat.text

    @Option(
        help:
            "The format of progress on stderr: text, or json: JSON lines for programs (docs/how-to/elsewhere.md)."
    )
    var progress = OutputFormat.text

    @Flag(help: "Show every check and the measurements of every link.")
    var verbose = false

    @Option(
        folder:
            "Write the files of --output to a new folder below this one, named by the time. 'latest' links to the newest."
    )
    var outputRoot: String?

    @Option(help: ArgumentHelp("With --output-root: keep this many runs, and remove older ones.", valueName: "count"))
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "With --output-root: keep runs up to this total size, such as 2GB, and remove older ones.",
            valueName: "size"), transform: { try ByteCount(parsing: $0) })
    var keepSize: ByteCount?

    @Option(file: "Write JUnit XML to this file.")
    var junit: String?

    @Flag(help: "Print budgets from the measured numbers, as YAML on stdout. The report goes to stderr.")
    var suggestBudgets = false

    @Option(
        help: ArgumentHelp(
            "With --suggest-budgets: add this margin to the measured numbers, such as 25%.", valueName: "share"),
        transform: { try Ratio(parsing: $0) })
    var margin: Ratio?

    func validate() throws {
        if suggestBudgets, format != .text { throw ValidationError("--suggest-budgets needs --format text.") }
        if margin != nil, !suggestBudgets { throw ValidationError("--margin goes with --suggest-budgets.") }
        if outputRoot == nil, keep != nil || keepSize != nil {
            throw ValidationError("--keep and --keep-size need --output-root FOLDER.")
        }
        try ValidationError.check(keep, in: 1...1_000_000, "--keep is between 1 and 1000000.")
    }

    /// Makes the folder of the JUnit file, and throws ``CommandFailure`` if it cannot be written; call it before the
    /// run.
    func check() throws {
        guard let junit else { return }
        try FileReplacement.check(FilePath(junit), of: "--junit", makesFolder: true)
    }

    /// Writes the JUnit file of a merged result, if an option requests one outside its folder.
    func writeJUnit(of result: RunResult, folder: FilePath) throws {
        guard let junit else { return }
        let text = JUnitReport.render(result, folder: ProjectFolder.name(of: folder))
        try FileReplacement.write(text, to: FilePath(junit))
    }

    /// Makes the folder of a new run below `--output-root`; nil without that option.
    func begin() throws -> RunFolders.Place? {
        guard let outputRoot else { return nil }
        let place = try RunFolders(root: FilePath(outputRoot)).begin(
            command: Redaction.arguments(CommandLine.arguments))
        if let why = place.whyNotLatest { Console.note("\(why).") }
        return place
    }

    /// The budgets that a run suggests; nil if not requested.
    func suggestion(_ result: RunResult, of scenarios: [Scenario]) -> SuggestedBudgets? {
        suggestBudgets ? SuggestedBudgets(result, of: scenarios, margin: margin?.fraction ?? 0.25) : nil
    }

    /// Removes old runs that exceed `--keep` or `--keep-size`, and reports which.
    func prune(sparing place: RunFolders.Place) {
        guard keep != nil || keepSize != nil, let outputRoot else { return }
        let pruned = RunFolders(root: FilePath(outputRoot)).prune(
            keeping: keep, bytes: keepSize?.bytes, sparing: place.path)
        if !pruned.names.isEmpty {
            let count = pruned.names.count
            let size = Quantity(Double(pruned.bytes), .bytes).rounded()
            let names = pruned.names.listed(3)
            Console.note("Removed \(count.counted("older run")), \(size), from \(outputRoot): \(names).")
        }
        for trouble in pruned.troubles { Console.note("Could not remove an older run: \(trouble).") }
    }
}

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

extension OutputFiles {
    /// Shows the result of a run, on stdout and in GitHub Actions if they run it, and the names of its files.
    ///
    /// `folder` has the files; nil if there are none. `suggestion` has the budgets to print on stdout instead of the
    /// report; nil prints the report. `ending` has the status that the process ends with.
    func show(
        _ result: RunResult, in folder: FilePath?, files: [String], _ suggestion: SuggestedBudgets?,
        _ ending: CommandEnding
    ) throws {
        let annotations = GitHubAnnotations.render(result, path: GitHubJob.repositoryPath)
        switch format {
        case .json: try result.printJSON(in: folder)
        case .github: show(annotations)
        case .text where suggestion != nil:
            let report = TextReport(hasFiles: folder != nil, isVerbose: verbose, process: ending.process)
            Console.note(TerminalText(report: report.render(result)))
            if let suggestion { show(suggestion) }
        case .text:
            let report = TextReport(
                palette: Console.palette, hasFiles: folder != nil, isVerbose: verbose, process: ending.process)
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

extension RunResult.OnInconclusive: ExpressibleByArgument {}

/// Options for a run without a clear end.
struct GateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What to do if there is too little evidence: fail (status 98), warn (status 0 and a "
                + "warning) or pass (status 0).",
            valueName: "what"))
    var onInconclusive = RunResult.OnInconclusive.fail

    @Option(time: "Stop the run after this time, such as 20min, with status 75 and the results so far.")
    var deadline: Duration?

    @Flag(name: .customLong("no-retry"), help: "Do not repeat a cell after trouble of the machine or the link.")
    var isWithoutRetry = false

    func validate() throws {
        if let deadline, deadline <= .zero { throw ValidationError("--deadline is more than 0s.") }
    }

    /// Applies the options to a run.
    func apply(to run: inout Run) {
        run.onInconclusive = onInconclusive
        run.deadline = deadline
        run.retriesTrouble = !isWithoutRetry
    }
}
