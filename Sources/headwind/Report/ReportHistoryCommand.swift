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

    @Option(file: "The history file. (default: HEADWIND_HISTORY, or the usual one)", ["sqlite"])
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

/// Series of a history as text and as CSV.
struct HistoryText {
    private let series: [HistorySeries]
    /// The most points of a line: it shows the last ones.
    private static let mostPoints = 60

    init(_ series: [HistorySeries]) { self.series = series }

    /// For each cell, a line for each metric that differs between runs, and one for each change.
    var text: String {
        var lines: [String] = []
        var last: (cell: String, fingerprint: Fingerprint)?
        var flat: [String] = []
        func endCell() {
            if !flat.isEmpty { lines.append("  the same in every run: \(flat.joined(separator: ", "))") }
            flat = []
        }
        for one in series.sorted(by: { ($0.cell, $0.fingerprint.key) < ($1.cell, $1.fingerprint.key) }) {
            if last?.cell != one.cell || last?.fingerprint != one.fingerprint {
                endCell()
                if last != nil { lines.append("") }
                lines.append("\(one.cell)  (\(Self.place(one.fingerprint)))".singleLine)
                last = (one.cell, one.fingerprint)
            }
            let medians = one.points.map(\.median)
            if Set(medians).count == 1, medians.count > 1 {
                flat.append("\(one.metric.rawValue) \(Self.text(medians[0], one.unit))")
            } else {
                lines.append(Self.line(one))
                lines += one.changes.map { Self.line($0, one.unit) }
            }
        }
        endCell()
        return lines.joined(separator: "\n")
    }

    private static func place(_ fingerprint: Fingerprint) -> String {
        let machine = [fingerprint.system ?? "unknown system", fingerprint.kernel, fingerprint.architecture]
        let parts =
            machine + [
                "\(fingerprint.processors) processors", fingerprint.backend, "headwind \(fingerprint.toolVersion)",
            ]
        return parts.joined(separator: ", ")
    }

    private static func text(_ value: Double?, _ unit: MetricUnit) -> String {
        value.map { Quantity($0, unit).rounded() } ?? "never"
    }

    private static func line(_ series: HistorySeries) -> String {
        let medians = series.points.map(\.median)
        let known = medians.compactMap { $0 }
        let range = known.min().map { "\(text($0, series.unit)) to \(text(known.max(), series.unit))" } ?? "never"
        let name = series.metric.rawValue.padded(to: 26)
        return
            "  \(name) \(sparkline(medians.suffix(mostPoints)))  \(text(medians.last ?? nil, series.unit)) last, "
            + "\(range) in \(medians.count.counted("run"))"
    }

    private static func line(_ change: HistorySeries.Change, _ unit: MetricUnit) -> String {
        let share = change.changeRatio.map { " (\($0 > 0 ? "+" : "")\(Quantity($0, .ratio).rounded(digits: 2)))" } ?? ""
        return "    \(change.isWorse ? "worse" : "better") from \(change.startedAt.singleLine) on, run \(change.run): "
            + "\(text(change.before, unit)) to \(text(change.after, unit))\(share)"
    }

    /// A bar for each number, scaled from the smallest to the largest; a cross for nil.
    static func sparkline(_ numbers: some Sequence<Double?>) -> String {
        let numbers = Array(numbers)
        let known = numbers.compactMap { $0 }
        guard let least = known.min(), let most = known.max() else {
            return String(repeating: "×", count: numbers.count)
        }
        let bars = Array("▁▂▃▄▅▆▇█")
        return String(
            numbers.map { number in
                guard let number else { return "×" }
                guard most > least else { return bars[0] }
                // Halve the numbers: the difference of two may overflow.
                let share = (number / 2 - least / 2) / (most / 2 - least / 2)
                return bars[min(bars.count - 1, Int(max(0, share) * Double(bars.count)))]
            })
    }

    /// The series as CSV: a head, and one line for each run.
    var csv: String {
        let head = "cell,metric,unit,fingerprint,run,started_at,verdict,median,attempts,change"
        let lines = series.flatMap { one in
            one.points.map { point -> String in
                let change = one.changes.first { $0.run == point.run }
                return [
                    one.cell.singleLine, one.metric.rawValue, one.unit.rawValue,
                    Self.place(one.fingerprint).singleLine, "\(point.run)", point.startedAt.singleLine,
                    point.verdict.singleLine, point.median.map { "\($0)" } ?? "", "\(point.attempts)",
                    change.map { $0.isWorse ? "worse" : "better" } ?? "",
                ].map(Self.field).joined(separator: ",")
            }
        }
        return ([head] + lines).joined(separator: "\n")
    }

    /// A field of CSV, see RFC 4180; a quote precedes a text that a spreadsheet would take for a formula.
    private static func field(_ text: String) -> String {
        var text = text
        if let first = text.first, "=+-@\t\r".contains(first), Double(text) == nil { text = "'" + text }
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
