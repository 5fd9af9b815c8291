import FoundationEssentials
import History
import Reports
import Results
import Wording

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
