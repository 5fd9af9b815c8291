import Wording

extension Budget {
    /// Reads a budget as a scenario states it: `time_to_available` and `median <= 1.2 x ideal + 12 s`.
    ///
    /// Everything is checked against the metric: statistic, comparator, unit, and whether the basis is known for it.
    /// Throws where the budget could never be evaluated. Not an error: a limit that no client can keep.
    package init(key: String, text: String) throws(BudgetError) {
        let metric = key == Self.progressKey ? Metric.progressDeviation : Metric(rawValue: key)
        guard let metric, key == Self.progressKey || metric.phrase == nil else {
            throw BudgetError(
                key: key, text: text, column: nil,
                problem: "'\(key)' is no metric; there are \(Self.keys.joined(separator: ", "))",
                suggestion: NearestName.of(key, in: Self.keys))
        }
        do throws(BudgetScanner.Problem) {
            var parser = try BudgetParser(text, metric)
            self = try metric.phrase == nil ? parser.limit() : parser.phrase()
        } catch {
            throw BudgetError(
                key: key, text: text, column: error.column, problem: error.problem, suggestion: error.suggestion)
        }
    }
}
