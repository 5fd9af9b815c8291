import ArgumentParser
import FoundationEssentials
import History
import Results
import SystemPackage
import Wording

/// `headwind report history`: shows the measurements of earlier runs, and where they changed.
struct ReportHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the measurements of earlier runs, and where they changed.",
        discussion: """
            'headwind run --history FILE' records runs, as does the variable HEADWIND_HISTORY with a file's name. A \
            series has runs with the same kind of machine, link, scenario and tools. A change is reported if the 12 \
            runs before it and the 12 from it on differ significantly, by 2 % or more.

              headwind report history --cell level-2 --metric time_to_available
              headwind report history --history history.sqlite --format csv > history.csv
              headwind report history --prune-older 90d --prune-to 100MB
            """)

    @Option(
        help: ArgumentHelp("The history file. (default: HEADWIND_HISTORY, or the usual one)", valueName: "file"),
        completion: .file(extensions: ["sqlite"]))
    var history: String?

    @Option(help: ArgumentHelp("Only cells whose name contains this text.", valueName: "text"))
    var cell: String?

    @Option(help: ArgumentHelp("Only this metric.", valueName: "name"))
    var metric: Metric?

    @Option(help: "The format on stdout: text, json or csv.")
    var format: Format = .text

    @Option(help: ArgumentHelp("Remove runs older than this, such as 90d or 12w, and show nothing.", valueName: "time"))
    var pruneOlder: String?

    @Option(
        help: ArgumentHelp("Remove the oldest runs until the file has this size, such as 100MB.", valueName: "size"))
    var pruneTo: String?

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, csv }

    func validate() throws {
        if let pruneOlder, Amount.seconds(pruneOlder) == nil {
            throw ValidationError(
                "--prune-older '\(pruneOlder)' is not a time: write hours, days or weeks, such as 90d.")
        }
        if let pruneTo, Amount.bytes(pruneTo) == nil {
            throw ValidationError(
                "--prune-to '\(pruneTo)' is not a size: write a number with kB, MB, GB, KiB, MiB or GiB.")
        }
    }

    func run() async throws {
        let file = HistoryOptions.file(named: history)
        guard pruneOlder == nil, pruneTo == nil else { return try prune(file) }
        let series = try RunHistory(readingFrom: file).series(cell: cell, metric: metric)
        switch format {
        case .json: try Console.json(series)
        case .csv: Console.out(TerminalText(report: HistoryText(series).csv))
        case .text:
            Console.out(
                series.isEmpty
                    ? "No run in \(file) has this measurement." : TerminalText(report: HistoryText(series).text))
        }
    }

    private func prune(_ file: FilePath) throws {
        let before = pruneOlder.flatMap(Amount.seconds).map {
            Date(timeIntervalSinceNow: -$0).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        // Throw if there is no history yet, rather than create one.
        _ = try RunHistory(readingFrom: file)
        let history = try RunHistory(recordingAt: file)
        var removed = 0
        if let before { removed += try history.prune(before: before) }
        if let bytes = pruneTo.flatMap(Amount.bytes) { removed += try history.prune(toBytes: bytes) }
        Console.out("\(removed) \(removed == 1 ? "run was" : "runs were") removed from \(file).")
    }
}

/// Numbers with a unit, as the user types them.
private enum Amount {
    static func seconds(_ text: String) -> Double? {
        amount(text, ["h": 3600, "d": 86_400, "w": 604_800]).flatMap { $0 <= 1e11 ? $0 : nil }
    }

    static func bytes(_ text: String) -> Int64? {
        let units = ["B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824]
        return amount(text, units).flatMap { $0 <= 1e15 ? Int64($0) : nil }
    }

    private static func amount(_ text: String, _ units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let number = Double(digits), let factor = units[String(unit)] else { return nil }
        return number * factor
    }
}
