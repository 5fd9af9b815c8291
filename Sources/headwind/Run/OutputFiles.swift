import ArgumentParser
import LinkModel
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
        help: ArgumentHelp(
            "Write the files of --output to a new folder below this one, named by the time. 'latest' links to the newest.",
            valueName: "folder"), completion: .directory)
    var outputRoot: String?

    @Option(help: ArgumentHelp("With --output-root: keep this many runs, and remove older ones.", valueName: "count"))
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "With --output-root: keep runs up to this total size, such as 2GB, and remove older ones.",
            valueName: "size"), transform: { try ByteCount(parsing: $0) })
    var keepSize: ByteCount?

    @Option(help: ArgumentHelp("Write JUnit XML to this file.", valueName: "file"), completion: .file())
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
        if let keep, !(1...1_000_000).contains(keep) { throw ValidationError("--keep is between 1 and 1000000.") }
    }

    /// Makes the folder of the JUnit file, and throws ``CommandFailure`` if it cannot be written; call it before the
    /// run.
    func check() throws {
        guard let junit else { return }
        try OutputPlace(option: "--junit", path: FilePath(junit), makesFolder: true).check()
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
