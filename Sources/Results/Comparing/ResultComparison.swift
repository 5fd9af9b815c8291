/// How what a later run measured differs from what an earlier one did, metric by metric.
package struct ResultComparison: Hashable, Sendable, Codable {
    package enum Word: String, CaseIterable, Codable, Sendable {
        /// Different by less than the least shift that matters, for all that is known.
        case same
        /// Worse by more than that, and not by chance.
        case worse
        /// Better by more than that, and not by chance.
        case better
        /// Neither is known.
        case unclear
        /// So few attempts come to no decision, whatever they measure.
        case tooFew = "too_few"
        /// The cell has failed, and had not before.
        case failed
        /// Nothing is known of the cell that was known before: there was trouble, or the run has not come to it.
        case trouble
        /// Measured on another kind of machine, on another link, or with other tools.
        case unlike
        /// The later one lacks the cell.
        case missing
        /// Only the later one has the cell.
        case added
    }

    /// A metric of a cell; of what is said of the cell as a whole, the cell alone.
    package struct Row: Hashable, Sendable, Codable {
        package var cell: String
        package var metric: Metric?
        package var unit: MetricUnit?
        /// The medians; null where nothing was measured, or most of it never came.
        package var earlier: Double?
        package var later: Double?
        package var earlierAttempts: Int
        package var laterAttempts: Int
        /// The later above the earlier, with the ends of its interval, each by 95 %.
        package var shift: Double?
        package var shiftLower: Double?
        package var shiftUpper: Double?
        /// The two-sided probability of such a difference by chance, and the same adjusted by Holm for all rows.
        package var pValue: Double?
        package var adjustedPValue: Double?
        /// How many attempts of each side it takes, where there are too few.
        package var neededAttempts: Int?
        package var word: Word
        /// Why it is said of the cell; empty of most metrics.
        package var reasons: [String]

        private enum CodingKeys: String, CodingKey {
            case cell, metric, unit, earlier, later, shift, word, reasons
            case earlierAttempts = "earlier_attempts"
            case laterAttempts = "later_attempts"
            case shiftLower = "shift_lower"
            case shiftUpper = "shift_upper"
            case pValue = "p_value"
            case adjustedPValue = "adjusted_p_value"
            case neededAttempts = "needed_attempts"
        }
    }

    package var rows: [Row]
    /// The least shift that matters, as a share of the earlier median.
    package var leastShare: Double

    private enum CodingKeys: String, CodingKey {
        case rows
        case leastShare = "least_share"
    }

    /// Compares the cells of two, in the order of the later one; those that it lacks come last.
    ///
    /// `leastShare` is the least shift that matters, as a share of the earlier median. `metrics` are those that are compared.
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

    /// What became of a cell that passed, or could not be decided; nil where it is no worse.
    private static func turn(of name: String, _ earlier: ComparedResult, _ later: ComparedResult) -> Row? {
        let (before, after) = (earlier.verdicts[name] ?? .pass, later.verdicts[name] ?? .pass)
        let why = later.faults[name].map { ["it was '\(before.rawValue)' before", $0] } ?? []
        switch after {
        case .fail where before != .fail: return Row(name, .failed, why)
        case .infrastructure where before == .pass || before == .inconclusive: return Row(name, .trouble, why)
        default: return nil
        }
    }

    /// Adjusts what could be chance for the number of rows, and gives each its word.
    private mutating func adjust() {
        let noisy = rows.indices.filter { rows[$0].pValue != nil }
        let adjusted = Holm.adjusted(noisy.compactMap { rows[$0].pValue })
        // What the rule would come to where no number of the one side were among the other's.
        let least = Holm.adjusted(noisy.map { rows[$0].leastPValue })
        let failed = Set(rows.filter { $0.word == .failed }.map(\.cell))
        for (place, index) in noisy.enumerated() {
            rows[index].adjustedPValue = adjusted[place]
            rows[index].word = rows[index].noisyWord(adjusted[place], leastShare)
            guard rows[index].word == .unclear, least[place] > Comparison.alpha else { continue }
            rows[index].word = .tooFew
            rows[index].neededAttempts = Self.neededAttempts(tests: noisy.count)
        }
        // A client that downloads nothing needs few requests, and is no better for it.
        for index in rows.indices where rows[index].word == .better && failed.contains(rows[index].cell) {
            (rows[index].word, rows[index].reasons) = (.unclear, ["the cell has failed"])
        }
    }

    /// The fewest attempts of each side with which the first of so many rows can be told from chance.
    static func neededAttempts(tests: Int) -> Int? {
        (Comparison.fewestAttempts...1000).first { count in
            2 * RankSum.leastProbability(count, count) * Double(max(1, tests)) <= Comparison.alpha
        }
    }

    /// The words that there are, and how many rows each has.
    package var counts: [Word: Int] { rows.reduce(into: [:]) { $0[$1.word, default: 0] += 1 } }
    /// Whether anything could be compared.
    package var hasCompared: Bool { rows.contains { $0.metric != nil || [.failed, .trouble].contains($0.word) } }

    /// The metrics that differ as clearly as so few attempts can show, of which nothing could be decided.
    package var undecided: [Row] { rows.filter { $0.isUndecided(leastShare) } }

    /// What the later one comes to beside the earlier: it fails where anything is worse, has failed, or is missing.
    package var verdict: Verdict {
        let words = counts
        if words[.worse] != nil || words[.failed] != nil || words[.missing] != nil { return .fail }
        if !undecided.isEmpty { return .inconclusive }
        return words[.trouble] != nil ? .infrastructure : .pass
    }
}

/// The adjustment of Holm (1979) for several tests at once.
package enum Holm {
    /// The probabilities, adjusted, in the order in which they were given: to reject every test whose adjusted probability is
    /// at most α is to reject any that is true with at most the probability α.
    ///
    /// The smallest of m is multiplied by m, the next one by m - 1, and so on; none becomes smaller than one before it, or
    /// larger than 1.
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
