import Wording

extension Budget {
    /// The verdict on the samples of a cell's counted attempts.
    ///
    /// - `min`, `max` and `each`, and every statistic of a metric without noise, are compared directly.
    /// - `median` and percentiles of a metric with noise are judged by the interval in which they lie, with 95 %
    ///   confidence for each end. If both ends keep the limit, it is a pass; if both break it, a fail. Otherwise it is
    ///   inconclusive, and more attempts may decide.
    /// - If there are too few attempts for an interval, it is inconclusive.
    /// - An unknown sample or basis is infrastructure: missing data neither passes nor fails.
    /// - A moment that never came is beyond every limit.
    ///
    /// - Parameters:
    ///   - attempts: The number and the sample of each counted attempt.
    ///   - basis: The number that the limit is a multiple of; nil if it has no basis or the number is unknown.
    /// - Returns: The verdict with the numbers behind it.
    package func judge(_ attempts: [(number: Int, sample: Sample)], basis: Double? = nil) -> CheckResult {
        let samples = attempts.map(\.sample)
        let limit = bound.limit(basis: basis)
        var evidence = Evidence(
            metric: metric, unit: metric.unit, statistic: "\(statistic)", values: samples.map(\.value),
            limit: limit, basis: bound.basis,
            basisValue: bound.basis.flatMap { _ in basis })
        evidence.origin = metric.definition.isFromBegin ? origin ?? .begin : nil
        guard let limit else {
            let unknown = bound.basis?.rawValue ?? "the limit"
            return result(.infrastructure, "not evaluated: \(unknown) is unknown", evidence)
        }
        if let missing = Self.missing(metric, from: origin ?? .begin, in: attempts) {
            return result(.infrastructure, "not evaluated: \(missing)", evidence)
        }
        let numbers = samples.map { $0.value ?? worst }
        let broken = zip(attempts, numbers).filter { !comparator.holds($1, limit) }.map(\.0.number)
        let outcome = decide(numbers, limit)
        evidence.measured = outcome.measured.finite
        evidence.intervalLower = outcome.interval?.lowerBound.finite
        evidence.intervalUpper = outcome.interval?.upperBound.finite
        let never = samples.count { $0.value == nil }
        let sentence = sentence(outcome, limit, numbers.count, never: never, broken)
        return result(outcome.verdict, sentence, evidence, brokenIn: broken)
    }

    /// The check of the budget with this verdict.
    func result(
        _ verdict: Verdict, _ sentence: String, _ evidence: Evidence, brokenIn broken: [Int] = []
    ) -> CheckResult {
        CheckResult(
            kind: .budget, name: name, asked: "\(self)", verdict: verdict, sentence: sentence, evidence: evidence,
            brokenIn: broken)
    }

    /// The number that stands for a moment that never came: infinite, on the wrong side of any limit.
    var worst: Double { comparator.isLowerLimit ? -.infinity : .infinity }

    private struct Outcome {
        var verdict = Verdict.inconclusive
        var measured: Double
        var interval: ClosedRange<Double>?
        /// Why it could not be decided; empty if it could.
        var remark = ""
    }

    private func decide(_ numbers: [Double], _ limit: Double) -> Outcome {
        var outcome = Outcome(measured: value(of: numbers, limit))
        guard !metric.isNoiseFree, let quantile = statistic.quantile else {
            outcome.verdict = comparator.holds(outcome.measured, limit) ? .pass : .fail
            return outcome
        }
        guard let interval = Statistics.interval(quantile: quantile, of: numbers) else {
            outcome.remark = "\(statistic) needs \(minimumAttempts) attempts"
            return outcome
        }
        outcome.interval = interval
        let ends = [interval.lowerBound, interval.upperBound].map { comparator.holds($0, limit) }
        if ends[0] == ends[1] { outcome.verdict = ends[0] ? .pass : .fail }
        return outcome
    }

    /// The statistic of the numbers; ``worst`` if there are none.
    ///
    /// `each` gives the number that is furthest on the wrong side.
    func value(of numbers: [Double], _ limit: Double) -> Double {
        let number: Double? =
            switch statistic {
            case .min: numbers.min()
            case .max: numbers.max()
            case .median: Statistics.median(numbers)
            case .percentile(let percent): Statistics.quantile(Double(percent) / 100, of: numbers)
            case .each:
                switch comparator {
                case .atMost, .below: numbers.max()
                case .atLeast, .above: numbers.min()
                case .equal: numbers.first { !comparator.holds($0, limit) } ?? numbers.first
                }
            }
        return number ?? worst
    }

    private func sentence(_ outcome: Outcome, _ limit: Double, _ count: Int, never: Int, _ broken: [Int]) -> String {
        let (measured, bound) = Quantity.pair(
            Quantity(outcome.measured, metric.unit), limit: Quantity(limit, metric.unit))
        if metric.unit == .truth {
            let what = metric.definition.title
            return outcome.verdict == .pass ? what : "not true: \(what); broken in \(Self.list(broken))"
        }
        let isNever = !outcome.measured.isFinite
        let what = metric == .timeToAvailable ? "never finished" : "never came"
        let limited = "\(what) (limit \(bound)), in \(never) of \(count.counted("attempt"))"
        if isNever, outcome.verdict == .fail, broken.count == never { return limited }
        let sign = outcome.verdict == .fail ? comparator.broken : comparator.rawValue
        let relation = outcome.verdict == .inconclusive ? "against" : sign
        var parts = [
            isNever ? limited : "\(statistic) \(measured)\(origin?.text ?? "") \(relation) \(bound)"
        ]
        if let interval = outcome.interval {
            func end(_ value: Double) -> String { value.isFinite ? Quantity(value, metric.unit).rounded() : "never" }
            parts.append("n=\(count), 95 % [\(end(interval.lowerBound)), \(end(interval.upperBound))]")
        } else {
            parts.append("n=\(count)")
        }
        if !outcome.remark.isEmpty { parts.append(outcome.remark) }
        if outcome.verdict == .fail, !broken.isEmpty { parts.append("broken in \(Self.list(broken))") }
        return parts.joined(separator: "; ")
    }

    /// Why samples of a metric cannot be judged, as the end of a sentence; nil if they can.
    static func missing(
        _ metric: Metric, from origin: Origin, in attempts: [(number: Int, sample: Sample)]
    ) -> String? {
        let unknown = attempts.filter { $0.sample == .unknown }.map(\.number)
        guard attempts.isEmpty || !unknown.isEmpty else { return nil }
        return "\(metric.rawValue)\(origin.text) was not measured in \(unknown.isEmpty ? "any attempt" : list(unknown))"
    }

    /// Attempts for a sentence: `attempt 3`, `attempts 1, 2, 5`, `attempts 1, 2, 3, 4, 5 and 12 more`.
    static func list(_ attempts: [Int]) -> String {
        let shown = attempts.prefix(5).map(String.init).joined(separator: ", ")
        let rest = attempts.count > 5 ? " and \(attempts.count - 5) more" : ""
        return "\(attempts.count == 1 ? "attempt" : "attempts") \(shown)\(rest)"
    }
}
