/// Budgets for a cell, made of measured numbers and a margin.
///
/// A number that does not depend on the machine is limited to the largest that was measured. A time gets the upper end
/// of the interval in which its median lies, plus the margin. It is written as a multiple of ideal if ideal is known
/// and the multiple is at most 3.
package struct BudgetSuggestion: Sendable {
    /// Why no budgets can be suggested.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Keys and texts, as a scenario writes them.
    package private(set) var budgets: [(key: String, text: String)] = []
    /// How many attempts were measured.
    package let attempts: Int

    /// The fewest attempts that give an interval of the median.
    static let leastAttempts = 5
    /// The largest share of attempts that may be repeated; if it is higher, the machine was too busy.
    static let mostRepeated = 0.34

    /// The budgets of a cell.
    ///
    /// `margin` is a share: 0.25 adds 25 %. `knowsIdeal` says whether a scenario may use multiples of ideal. Throws
    /// ``Refusal`` if there are too few attempts, or if they say nothing about the client.
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
                description: "the machine was too busy in \(repeated) of \(made) attempts: try again with less load")
        }
    }
}

/// Turns the measurements of attempts into limits.
private struct Meter {
    let attempts: [AttemptRecord]
    let margin: Double
    let knowsIdeal: Bool

    /// The numbers of all attempts; nil if one has none.
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
            // A slow machine adds a constant to short times: above 3 x ideal, a multiple does not describe it.
            if twentieths <= 60 { return "median <= \((twentieths / 20).plainDecimal) x ideal" }
        }
        return "median <= \(Quantity(Self.roundedUp(max(limit, 0.01)), .seconds))"
    }

    /// `max <= 3`: the largest number that was measured, for a metric that does not depend on the machine.
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

    /// The value rounded up to two significant digits.
    private static func roundedUp(_ value: Double) -> Double {
        var scale = 1.0
        while value * scale < 10 { scale *= 10 }
        while value * scale >= 100 { scale /= 10 }
        let digits = (value * scale).rounded(.up)
        func number(_ digits: Double) -> Double { scale >= 1 ? digits / scale : digits * (1 / scale).rounded() }
        // Rounding to the nearest double can give a result below the value.
        return number(digits) < value ? number(digits + 1) : number(digits)
    }
}
