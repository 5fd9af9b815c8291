import ArgumentParser
import FoundationEssentials
import Glibc
import Reports
import Results
import SystemPackage
import Wording

/// `headwind report compare`: how one result differs from another.
struct ReportCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two results, metric by metric.",
        discussion: """
            Each may be the folder of a run, a result.json, or a file of 'headwind run --save-baseline'. A metric is 'worse' or \
            'better' where the shift is beyond the least one that matters and not by chance, 'same' where all of its interval is \
            within it, and 'unclear' otherwise; with 'too few attempts' no difference, however large, could have been told from \
            chance, and how many it takes is said. Cells that were measured on another kind of machine, on another link, or with \
            other tools are 'unlike', and are not compared. A cell that passed may have 'failed' since, be in 'trouble' that says \
            nothing of the client, or be 'missing' from the later result; one that only that has is 'added'.

            The exit status is 0 where nothing is worse; 99 where something is worse, failed or missing; 98 where something \
            differs as clearly as it can, and the attempts are too few to decide; 75 where a cell is in trouble; 69 where nothing \
            could be compared, and 65 for a file that is neither a result nor a baseline.

              headwind report compare baseline.json results/today
              headwind report compare results/main results/branch --format markdown
            """)

    @Argument(help: "The earlier result.", completion: .file(), transform: { FilePath($0) })
    var earlier: FilePath

    @Argument(help: "The later result.", completion: .file(), transform: { FilePath($0) })
    var later: FilePath

    @Option(
        help: ArgumentHelp(
            "The smallest difference that matters, in percent of the earlier median.", valueName: "per cent"))
    var least = "5%"

    @Option(help: ArgumentHelp("Compare only this metric. May be repeated.", valueName: "name"))
    var metric: [Metric] = []

    @Option(help: "The format on stdout: text, json or markdown.")
    var format: Format = .text

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, markdown }

    func validate() throws {
        guard share != nil else { throw ValidationError("--least is a number of per cent from 0 to 1000, such as 5%.") }
    }

    private var share: Double? {
        guard let number = Double(least.hasSuffix("%") ? String(least.dropLast()) : least), (0...1000).contains(number)
        else { return nil }
        return number / 100
    }

    func run() async throws {
        let comparison = ResultComparison(
            earlier: try Self.read(earlier), later: try Self.read(later), leastShare: share ?? 0,
            metrics: metric.isEmpty ? Metric.allCases : metric)
        let report = ComparisonReport(comparison)
        switch format {
        case .json: try Console.json(comparison)
        case .markdown: Console.out(TerminalText(report: report.markdown()))
        case .text:
            Console.out(TerminalText(report: report.text(Console.isColoured(STDOUT_FILENO) ? .ansi : .plain)))
        }
        guard comparison.hasCompared else {
            throw CommandFailure(
                status: .unavailable,
                description:
                    "Nothing of '\(earlier)' and '\(later)' could be compared: they have no cell in common that was "
                    + "measured alike. Make both on one kind of machine, of the same scenarios, with one Headwind.")
        }
        if let row = comparison.undecided.first {
            let needed = row.neededAttempts.map { "at least \($0)" } ?? "more"
            Console.note(
                "Something differs that so few attempts cannot tell from chance: make \(needed) attempts of each side, or name "
                    + "by --metric what matters.")
        }
        guard comparison.verdict == .pass else { throw ExitCode(comparison.verdict.exitCode) }
    }

    /// Reads a baseline, or a result.
    private static func read(_ path: FilePath) throws -> ComparedResult {
        var isFolder = false
        if FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder), !isFolder,
            let baseline = try BaselineFile(path).readIfBaseline()
        {
            return ComparedResult(baseline)
        }
        return ComparedResult(try ReportShowCommand.read(path).kept)
    }
}

extension Metric: ExpressibleByArgument {}
