/// Budgets for a cell, with numbers that were measured and a margin above them.
///
/// What the machine has no part in is asked for as it was. What takes time gets the upper end of the interval in which its median
/// lies, and the margin; as a multiple of ideal, where that is known.
package struct BudgetSuggestion: Hashable, Sendable {
    /// Why there are no numbers to go by.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Keys and texts, as a scenario has them.
    package private(set) var budgets: [(key: String, text: String)] = []
    /// How many attempts they are of.
    package let attempts: Int

    package static func == (left: Self, right: Self) -> Bool { "\(left.budgets)" == "\(right.budgets)" }
    package func hash(into hasher: inout Hasher) { hasher.combine("\(budgets)") }

    /// A median's interval needs so many.
    static let leastAttempts = 5
    /// More than this share of attempts that had to be repeated says that the machine was too busy.
    static let mostRepeated = 0.34

    /// The budgets of a cell; `margin` is a share, and `knowsIdeal` says whether a scenario may name multiples of ideal.
    ///
    /// Throws ``Refusal`` where the attempts are too few, or say nothing.
    package init(_ cell: CellResult, margin: Double, knowsIdeal: Bool) throws(Refusal) {
        let counted = cell.countedAttempts
        attempts = counted.count
        try Self.check(cell, counted.count)
        let meter = Meter(attempts: counted, margin: margin, knowsIdeal: knowsIdeal)
        for metric in Metric.allCases where metric.definition.suggestion == .median {
            if let text = meter.time(metric) { budgets.append((metric.rawValue, text)) }
        }
        for metric in Metric.allCases where metric.definition.suggestion == .most {
            if let text = meter.exact(metric) { budgets.append((metric.rawValue, text)) }
        }
        let phrases = meter.phrases()
        if !phrases.isEmpty {
            let list = phrases.count == 1 ? phrases[0] : "[\(phrases.joined(separator: ", "))]"
            budgets.append(("progress", list))
        }
        guard !budgets.isEmpty else { throw Refusal(description: "nothing was measured that a budget could limit") }
    }

    private static func check(_ cell: CellResult, _ counted: Int) throws(Refusal) {
        if cell.verdict == .infrastructure {
            throw Refusal(description: "infrastructure trouble: the measurements say nothing about the client")
        }
        if let finding = cell.findings.first(where: { $0.attribution.row.subject == .client }) {
            throw Refusal(description: "the client failed: \(finding.description)")
        }
        if let check = cell.checks.first(where: { $0.kind == .expectation && $0.verdict != .pass }) {
            throw Refusal(description: "the client did not meet an expectation: \(check.sentence)")
        }
        guard counted >= leastAttempts else {
            throw Refusal(
                description: "\(counted) \(counted == 1 ? "attempt counts" : "attempts count"), and budgets need "
                    + "\(leastAttempts): write 'attempts: \(leastAttempts)'")
        }
        let made = cell.attempts.count { $0.arm == nil }
        let repeated = made - counted
        guard Double(repeated) <= mostRepeated * Double(made) else {
            throw Refusal(
                description:
                    "the machine was too busy in \(repeated) of \(made) attempts: try again with "
                    + "less load")
        }
    }
}

/// Makes limits of what attempts measured.
private struct Meter {
    let attempts: [AttemptRecord]
    let margin: Double
    let knowsIdeal: Bool

    /// The numbers of all attempts; nil where one has none.
    private func values(_ metric: Metric) -> [Double]? {
        let values = attempts.compactMap { $0.samples[metric].value }
        return values.count == attempts.count ? values : nil
    }

    /// `median <= 1.25 x ideal`, or `median <= 1.3 s`.
    func time(_ metric: Metric) -> String? {
        guard let values = values(metric), let upper = Statistics.interval(quantile: 0.5, of: values)?.upperBound
        else { return nil }
        let limit = upper * (1 + margin)
        let ideals = attempts.compactMap { $0.ideal[metric] }
        if knowsIdeal, metric.definition.bases.contains(.ideal), ideals.count == attempts.count,
            let ideal = ideals.min(), ideal > 0
        {
            var twentieths = (limit / ideal * 20).rounded(.up)
            if twentieths / 20 * ideal < limit { twentieths += 1 }
            // A slow machine adds to short times what no multiple of them says.
            if twentieths <= 60 { return "median <= \((twentieths / 20).plainDecimal) x ideal" }
        }
        return "median <= \(Quantity(Self.roundedUp(max(limit, 0.01)), .seconds))"
    }

    /// `max <= 3`: the most that was seen, of what does not depend on the machine.
    func exact(_ metric: Metric) -> String? {
        guard let most = values(metric)?.max() else { return nil }
        return "max <= \(Quantity(most.rounded(.up), metric.unit))"
    }

    func phrases() -> [String] {
        var phrases: [String] = []
        for metric in [Metric.progressMonotonic, .progressEndsAtOne] {
            if let phrase = metric.phrase, values(metric)?.allSatisfy({ $0 == 1 }) == true { phrases.append(phrase) }
        }
        if let most = values(.progressDeviation)?.max(), most < 0.5 {
            let share = max(1, (most * (1 + margin) * 100).rounded(.up))
            phrases.append("honest within \(share.plainDecimal)%")
        }
        return phrases
    }

    /// The next number with two digits that count.
    private static func roundedUp(_ value: Double) -> Double {
        var scale = 1.0
        while value * scale < 10 { scale *= 10 }
        while value * scale >= 100 { scale /= 10 }
        let digits = (value * scale).rounded(.up)
        func number(_ digits: Double) -> Double { scale >= 1 ? digits / scale : digits * (1 / scale).rounded() }
        // What is rounded to the next double may come out below.
        return number(digits) < value ? number(digits + 1) : number(digits)
    }
}
