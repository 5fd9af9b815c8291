/// The differences between the measurements of an earlier and a later run, metric by metric.
package struct ResultComparison: Hashable, Sendable, Codable {
    package enum Word: String, CaseIterable, Codable, Sendable {
        /// The difference is at most the least shift that matters; with noise, its whole interval is.
        case same
        /// Worse by more than the least shift that matters, and not by chance.
        case worse
        /// Better by more than the least shift that matters, and not by chance.
        case better
        /// None of the above could be shown.
        case unclear
        /// There are too few attempts for a decision, whatever they measure.
        case tooFew = "too_few"
        /// The cell failed, and had not failed before.
        case failed
        /// A cell that was measured before now has no result, because of infrastructure trouble or an unfinished run.
        case trouble
        /// Measured on another kind of machine, on another link, or with other tools.
        case unlike
        /// The later result lacks the cell.
        case missing
        /// Only the later result has the cell.
        case added
    }

    /// One metric of a cell, or the cell as a whole, which has no metric.
    package struct Row: Hashable, Sendable, Codable {
        package var cell: String
        package var metric: Metric?
        package var unit: MetricUnit?
        /// The medians, in the metric's base unit; null if nothing was measured, or the median never came.
        package var earlier: Double?
        package var later: Double?
        package var earlierAttempts: Int
        package var laterAttempts: Int
        /// By how much the later one is above the earlier, and the ends of the interval, each with 95 % confidence.
        package var shift: Double?
        package var shiftLower: Double?
        package var shiftUpper: Double?
        /// The two-sided probability of such a difference by chance, and the same adjusted by Holm for all rows.
        ///
        /// Nil for a metric without noise.
        package var pValue: Double?
        package var adjustedPValue: Double?
        /// The attempts that each side needs for a decision, if there are too few; otherwise nil.
        package var neededAttempts: Int?
        package var word: Word
        /// Why the word applies to the cell; empty for most metrics.
        package var reasons: [String]

        private enum CodingKeys: String, SnakeCaseKey {
            case cell, metric, unit, earlier, later, shift, word, reasons, earlierAttempts, laterAttempts, shiftLower,
                shiftUpper, pValue, adjustedPValue, neededAttempts
        }
    }

    package var rows: [Row]
    /// The least shift that matters, as a share of the earlier median.
    package var leastShare: Double

    private enum CodingKeys: String, SnakeCaseKey { case rows, leastShare }

    /// Compares the cells of two results, in the order of the later one; cells that it lacks come last.
    ///
    /// `leastShare` is the least shift that matters, as a share of the earlier median. `metrics` are compared, by
    /// default all.
    package init(
        earlier: ComparedResult, later: ComparedResult, leastShare: Double, metrics: [Metric] = Metric.allCases
    ) {
        self.leastShare = leastShare
        let before = Dictionary(earlier.baseline.cells.map { ($0.name, $0) }) { first, _ in first }
        let after = Dictionary(later.baseline.cells.map { ($0.name, $0) }) { first, _ in first }
        let (known, names) = (Set(earlier.names), Set(later.names))
        rows = later.names.flatMap { name -> [Row] in
            guard known.contains(name) else { return [Row(name, .added, ["the earlier result has no such cell"])] }
            let turns = Self.turn(of: name, earlier, later).map { [$0] } ?? []
            // Measurements amid infrastructure trouble say nothing about the client.
            guard earlier.verdicts[name] != .infrastructure, later.verdicts[name] != .infrastructure else {
                return turns
            }
            guard let one = before[name], let other = after[name] else { return turns }
            let differences = other.fingerprint.differences(from: one.fingerprint)
            guard differences.isEmpty else { return turns + [Row(name, .unlike, differences)] }
            return turns + metrics.compactMap { Row(name, $0, one.attempts, other.attempts, leastShare) }
        }
        rows += earlier.names.filter { !names.contains($0) }.map { name in
            later.isWhole
                ? Row(name, .missing, ["the later result has no such cell"])
                : Row(name, .trouble, ["the later run has not finished, and has no such cell yet"])
        }
        adjust()
    }

    /// The row for a cell that fails or has trouble now, and did not before; otherwise nil.
    private static func turn(of name: String, _ earlier: ComparedResult, _ later: ComparedResult) -> Row? {
        let (before, after) = (earlier.verdicts[name] ?? .pass, later.verdicts[name] ?? .pass)
        let why = later.faults[name].map { ["it was '\(before.rawValue)' before", $0] } ?? []
        switch after {
        case .fail where before != .fail: return Row(name, .failed, why)
        case .infrastructure where before == .pass || before == .inconclusive: return Row(name, .trouble, why)
        default: return nil
        }
    }

    /// Adjusts the probabilities for the number of rows, and gives each row its word.
    private mutating func adjust() {
        let noisy = rows.indices.filter { rows[$0].pValue != nil }
        let adjusted = Holm.adjusted(noisy.compactMap { rows[$0].pValue })
        // The smallest probabilities that are possible: all numbers of one side are above all of the other.
        let least = Holm.adjusted(noisy.map { rows[$0].leastPValue })
        let failed = Set(rows.filter { $0.word == .failed }.map(\.cell))
        for (place, index) in noisy.enumerated() {
            rows[index].adjustedPValue = adjusted[place]
            rows[index].word = rows[index].noisyWord(adjusted[place], leastShare)
            guard rows[index].word == .unclear, least[place] > Comparison.alpha else { continue }
            rows[index].word = .tooFew
            rows[index].neededAttempts = Self.neededAttempts(tests: noisy.count)
        }
        // A client that downloads nothing makes few requests, but is not better for that.
        for index in rows.indices where rows[index].word == .better && failed.contains(rows[index].cell) {
            (rows[index].word, rows[index].reasons) = (.unclear, ["the cell has failed"])
        }
    }

    /// The fewest attempts of each side with which the clearest of `tests` rows can be distinguished from chance; nil
    /// if 1000 do not suffice.
    static func neededAttempts(tests: Int) -> Int? {
        (Comparison.fewestAttempts...1000).first { count in
            2 * RankSum.leastProbability(count, count) * Double(max(1, tests)) <= Comparison.alpha
        }
    }

    /// The number of rows that have each word.
    package var counts: [Word: Int] { rows.reduce(into: [:]) { $0[$1.word, default: 0] += 1 } }
    /// Whether anything could be compared.
    package var hasCompared: Bool { rows.contains { $0.metric != nil || [.failed, .trouble].contains($0.word) } }

    /// The rows that differ as clearly as their attempts can show, but whose attempts are too few for a decision.
    package var undecided: [Row] { rows.filter { $0.isUndecided(leastShare) } }

    /// The verdict on the later result: `fail` if anything is worse, failed or missing.
    ///
    /// Otherwise it is `inconclusive` if a row is ``undecided``, `infrastructure` if a cell had trouble, and else
    /// `pass`.
    package var verdict: Verdict {
        let words = counts
        if words[.worse] != nil || words[.failed] != nil || words[.missing] != nil { return .fail }
        if !undecided.isEmpty { return .inconclusive }
        return words[.trouble] != nil ? .infrastructure : .pass
    }
}

/// The adjustment of Holm (1979) for several tests at once.
package enum Holm {
    /// The adjusted probabilities, in the order of `probabilities`.
    ///
    /// Rejecting every test whose adjusted probability is at most α rejects a true hypothesis with at most the
    /// probability α. The smallest of m is multiplied by m, the next one by m - 1, and so on. None becomes smaller than
    /// one before it, or larger than 1.
    package static func adjusted(_ probabilities: [Double]) -> [Double] {
        var adjusted = probabilities
        var least = 0.0
        for (place, index) in probabilities.indices.sorted(by: { probabilities[$0] < probabilities[$1] }).enumerated() {
            least = min(1, max(least, probabilities[index] * Double(probabilities.count - place)))
            adjusted[index] = least
        }
        return adjusted
    }
}
