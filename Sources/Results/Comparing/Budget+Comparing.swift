extension Budget {
    /// The verdict on two samples, with the numbers behind it.
    ///
    /// `adjusted` is the adjusted probability that a tested sample is this much worse by chance. The probability that
    /// it is better by chance is multiplied by `tests`.
    func judge(_ compared: ComparedSamples, adjusted: Double, tests: Int) -> CheckResult {
        let measured = value(of: compared.tested, compared.limit)
        var evidence = Evidence(
            metric: metric, unit: metric.unit, statistic: "\(statistic)", values: compared.tested.map(\.finite),
            measured: measured.finite, limit: compared.limit, basis: .baseline, basisValue: compared.base)
        evidence.baselineValues = compared.baseline.map(\.finite)
        evidence.origin = metric.definition.isFromBegin ? compared.origin : nil
        evidence.shift = compared.shift.shift.finite
        evidence.shiftLower = compared.shift.interval?.lowerBound.finite
        evidence.shiftUpper = compared.shift.interval?.upperBound.finite
        let verdict: Verdict
        if metric.isExact {
            verdict = comparator.holds(measured, compared.limit) ? .pass : .fail
            let least = compared.leastShift.magnitude
            let better = comparator.isLowerLimit ? measured - compared.base : compared.base - measured
            evidence.improved = better > 0 && better >= least
        } else {
            evidence.pValue = compared.pWorse
            evidence.adjustedPValue = adjusted
            evidence.improved = compared.isBetterByFar && compared.pBetter * Double(tests) <= Comparison.alpha
            if compared.isBeyond, adjusted <= Comparison.alpha {
                verdict = .fail
            } else {
                verdict = compared.isWithin ? .pass : .inconclusive
            }
        }
        return result(verdict, sentence(compared, measured, evidence, verdict), evidence)
    }

    private func sentence(
        _ compared: ComparedSamples, _ measured: Double, _ evidence: Evidence, _ verdict: Verdict
    ) -> String {
        func text(_ value: Double) -> String { value.isFinite ? Quantity(value, metric.unit).rounded() : "never" }
        func signed(_ value: Double) -> String {
            guard value.isFinite else { return value > 0 ? "to never" : "from never" }
            return (value > 0 ? "+" : value < 0 ? "-" : "") + Quantity(value.magnitude, metric.unit).rounded()
        }
        let sign = verdict == .fail ? comparator.broken : verdict == .inconclusive ? "against" : comparator.rawValue
        var parts = ["\(statistic) \(text(measured))\(compared.origin.text), baseline \(text(compared.base))"]
        if metric.isExact {
            // Two numbers that look equal when rounded are shown with all digits.
            let isClose = text(measured) == text(compared.limit) && measured != compared.limit
            func exact(_ value: Double) -> String { isClose ? Quantity(value, metric.unit).description : text(value) }
            parts[0] =
                "\(statistic) \(exact(measured)) \(sign) \(exact(compared.limit)), baseline \(exact(compared.base))"
        } else {
            let share = compared.base == 0 ? Double.nan : compared.shift.shift / compared.base
            let percent =
                share.isFinite ? " (\(share < 0 ? "-" : "+")\(Quantity(share.magnitude, .ratio).rounded()))" : ""
            parts[0] += ": shift \(signed(compared.shift.shift))\(percent) \(sign) \(signed(compared.leastShift))"
            if let interval = compared.shift.interval {
                parts.append("95 % [\(signed(interval.lowerBound)), \(signed(interval.upperBound))]")
            }
            let adjusted = evidence.adjustedPValue ?? 1
            parts.append("p=\(compared.pWorse.probabilityText), adjusted \(adjusted.probabilityText)")
        }
        parts.append("n=\(compared.tested.count) against \(compared.baseline.count)")
        if evidence.improved == true { parts.append("improved") }
        return parts.joined(separator: "; ")
    }
}

extension Double {
    /// The number; nil if it is not finite.
    package var finite: Double? { isFinite ? self : nil }

    /// The probability for people, with two significant digits: `0.0040`, `0.35`, `<0.0001`.
    package var probabilityText: String {
        guard self >= 0.0001 else { return "<0.0001" }
        return self < 0.995 ? roundedText(digits: 2) : "1"
    }
}
