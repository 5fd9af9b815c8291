import ArgumentParser
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
            Each can be the folder of a run, a result.json, or a file of 'headwind run --save-baseline'. A metric is \
            'worse' or 'better' if its shift is significant and larger than --least, 'same' if its whole interval is \
            within --least, and 'unclear' otherwise. With 'too few attempts' no difference could be significant; the \
            report says how many you need. Cells from another kind of machine, link or tools are 'unlike', and are not \
            compared. A cell that passed earlier may have 'failed', be in 'trouble' (not the client's fault), or be \
            'missing'; a new cell is 'added'.

            The exit status is 0 if nothing is worse; 99 if something is worse, failed or missing; 98 if something \
            differs as much as it can, but the attempts are too few to decide; 75 if a cell is in trouble; 69 if \
            nothing could be compared; 65 for a file that is neither a result nor a baseline.

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
        guard share != nil else { throw ValidationError("--least is a percentage from 0 to 1000, such as 5%.") }
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
        case .text: Console.out(TerminalText(report: report.text(Console.palette)))
        }
        guard comparison.hasCompared else {
            throw CommandFailure(
                .unavailable,
                "Nothing of '\(earlier)' and '\(later)' could be compared: they share no cell with the same "
                    + "conditions. Run the same scenarios with the same Headwind on the same kind of machine.")
        }
        if let row = comparison.undecided.first {
            let needed = row.neededAttempts.map { "at least \($0)" } ?? "more"
            Console.note(
                "With so few attempts, a difference may be chance: make \(needed) attempts of each side, or select metrics with --metric."
            )
        }
        guard comparison.verdict == .pass else { throw ExitCode(comparison.verdict.exitCode) }
    }

    /// Reads a baseline, or a result.
    private static func read(_ path: FilePath) throws -> ComparedResult {
        if let baseline = try StoredBaseline.readIfBaseline(path.absolute) { return ComparedResult(baseline) }
        return ComparedResult(try ReportShowCommand.read(path).kept)
    }
}

extension Metric: ExpressibleByArgument {}
