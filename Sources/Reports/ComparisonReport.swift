package import Results
import Wording

/// A comparison of two results as a table, for people.
package struct ComparisonReport: Sendable {
    private let comparison: ResultComparison

    package init(_ comparison: ResultComparison) {
        self.comparison = comparison
    }

    private static let heads = [
        "cell", "metric", "earlier", "later", "shift", "interval, each end by 95 %", "p", "p by Holm", "",
    ]

    /// A table with aligned columns, and a line with the number of rows for each word.
    package func text(_ palette: Palette = .plain) -> String {
        let cells = [Self.heads] + comparison.rows.map { columns($0).map(\.singleLine) }
        var lines = TextTable.lines(cells)
        for (index, row) in comparison.rows.enumerated() {
            lines[index + 1] = palette.paint(lines[index + 1], word: row.word)
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    /// A Markdown table.
    package func markdown() -> String {
        let rows = comparison.rows.map { "| " + columns($0).map(\.markdownEscaped).joined(separator: " | ") + " |" }
        let head = "| " + Self.heads.dropLast().joined(separator: " | ") + " | what it is |"
        let rule = "|" + String(repeating: "---|", count: Self.heads.count)
        return ([head, rule] + rows + ["", summary]).joined(separator: "\n")
    }

    /// `3 worse, 1 better, 20 same`.
    package var summary: String {
        let words: [ResultComparison.Word] = [
            .failed, .missing, .worse, .trouble, .better, .tooFew, .unclear, .same, .unlike, .added,
        ]
        let counts = comparison.counts
        let parts = words.compactMap { word in counts[word].map { "\($0) \(word.text)" } }
        return parts.isEmpty ? "nothing to compare" : parts.joined(separator: ", ")
    }

    private func columns(_ row: ResultComparison.Row) -> [String] {
        guard let metric = row.metric else {
            let why = row.reasons.isEmpty ? "" : ": " + row.reasons.joined(separator: "; ")
            return [row.cell, "", "", "", "", "", "", "", row.word.text + why]
        }
        func text(_ value: Double?) -> String { value.map { Quantity($0, metric.unit).rounded() } ?? "never" }
        func signed(_ value: Double?) -> String {
            guard let value else { return "" }
            return (value > 0 ? "+" : value < 0 ? "-" : "") + Quantity(value.magnitude, metric.unit).rounded()
        }
        let share = zip(row.shift, row.earlier).flatMap { $1 == 0 ? nil : Quantity($0 / $1.magnitude, .ratio) }
        let percent = share.map { " (\($0.value > 0 ? "+" : "")\($0.rounded(digits: 2)))" } ?? ""
        let interval = zip(row.shiftLower, row.shiftUpper).map { "\(signed($0)) to \(signed($1))" } ?? ""
        return [
            row.cell, metric.rawValue, "\(text(row.earlier)) (n=\(row.earlierAttempts))",
            "\(text(row.later)) (n=\(row.laterAttempts))", signed(row.shift) + (metric.unit == .truth ? "" : percent),
            interval,
            row.pValue?.probabilityText ?? "", row.adjustedPValue?.probabilityText ?? "",
            row.word.text + (row.neededAttempts.map { " (\($0) needed)" } ?? ""),
        ]
    }
}

/// Both values, or nil if one is nil.
private func zip<A, B>(_ a: A?, _ b: B?) -> (A, B)? {
    guard let a, let b else { return nil }
    return (a, b)
}

extension Palette {
    fileprivate func paint(_ text: String, word: ResultComparison.Word) -> String {
        switch word {
        case .worse, .failed, .missing: paint(text, .fail)
        case .better: paint(text, .pass)
        case .unclear, .tooFew: paint(text, .inconclusive)
        case .unlike, .trouble, .added: paint(text, .infrastructure)
        case .same: dim(text)
        }
    }
}

extension ResultComparison.Word {
    /// The word for people.
    fileprivate var text: String { self == .tooFew ? "too few attempts" : rawValue }
}
