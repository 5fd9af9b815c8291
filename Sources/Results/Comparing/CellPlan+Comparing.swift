/// The results of the budgets that compare with a baseline.
struct ComparedChecks {
    var checks: [Budget: CheckResult] = [:]
    /// Why none of them could be evaluated; nil if they could.
    var void: Finding?

    /// Whether a check could not be evaluated because the baseline is unusable.
    func isVoid(_ check: CheckResult) -> Bool {
        void != nil && check.verdict == .infrastructure && checks.values.contains(check)
    }

    /// The finding to add if a deciding check has no usable baseline.
    ///
    /// Empty if the client failed by itself, because that needs no comparison.
    func trouble(beside findings: [Finding], _ deciding: [CheckResult]) -> [Finding] {
        guard let void, deciding.contains(where: isVoid) else { return [] }
        let hasFailed =
            deciding.contains { $0.verdict == .fail } || findings.contains { $0.attribution.row.verdict == .fail }
        return hasFailed ? [] : [void]
    }
}

extension CellPlan {
    /// Judges the budgets that compare with a baseline.
    ///
    /// Metrics without noise are compared directly, as in all budgets. A budget on another metric:
    ///
    /// - fails if the tested side is worse by more than chance allows (``RankSum``) and the estimate of the shift
    ///   (``ShiftEstimate``) breaks the limit. The probability is adjusted by Holm for all such budgets that decide,
    ///   for the cells of the run, and for the number of looks.
    /// - passes if the whole interval of the shift keeps the limit.
    /// - is inconclusive otherwise.
    func compare(_ counted: [AttemptRecord], _ made: [AttemptRecord]) -> ComparedChecks {
        var compared = ComparedChecks()
        guard let comparison, !comparedBudgets.isEmpty else { return compared }
        let rivals = made.filter(\.isCompared)
        compared.void = void(comparison, rivals)
        var samples: [Budget: ComparedSamples] = [:]
        for budget in comparedBudgets {
            let origin = origin(of: budget, counted, comparison, rivals)
            let there = baseline(of: budget.metric, from: origin, comparison, rivals)
            let here = Self.samples(of: budget.metric, from: origin, in: counted)
            let missing =
                Budget.missing(budget.metric, from: origin, in: here)
                ?? Budget.missing(budget.metric, from: origin, in: there).map { $0 + " of the baseline" }
            if let void = compared.void {
                compared.checks[budget] = unjudged(budget, here, void.detail.isEmpty ? void.description : void.detail)
            } else if let missing {
                compared.checks[budget] = unjudged(budget, here, missing)
            } else {
                samples[budget] = ComparedSamples(
                    budget, from: origin, tested: here.map { $0.sample.value ?? budget.worst },
                    baseline: there.map { $0.sample.value ?? budget.worst })
                if samples[budget] == nil {
                    compared.checks[budget] = unjudged(budget, here, "the baseline's \(budget.statistic) never came")
                }
            }
        }
        let adjusted = adjustedProbabilities(samples, cells: comparison.cells)
        for (budget, sample) in samples {
            let result = budget.judge(
                sample, adjusted: adjusted[budget] ?? 1, tests: looks * comparison.cells)
            compared.checks[budget] = gated(result, budget)
        }
        return compared
    }

    /// The adjusted probability of each noisy budget that the tested side is this much worse by chance.
    ///
    /// Holm's adjustment includes only the budgets that decide. All are multiplied by the numbers of looks and cells.
    private func adjustedProbabilities(_ samples: [Budget: ComparedSamples], cells: Int) -> [Budget: Double] {
        let noisy = comparedBudgets.filter { samples[$0] != nil && !$0.metric.isExact }
        let family = noisy.filter(isDeciding)
        let adjusted = Holm.adjusted(family.compactMap { samples[$0]?.pWorse })
        var all: [Budget: Double] = [:]
        for budget in noisy { all[budget] = samples[budget]?.pWorse }
        for (budget, probability) in zip(family, adjusted) { all[budget] = probability }
        return all.mapValues { min(1, $0 * Double(looks * cells)) }
    }

    /// The moment from which a budget counts times.
    ///
    /// The start of a command is not part of its download, and takes longer on a busy machine. A baseline of an earlier
    /// version has no first packets.
    private func origin(
        of budget: Budget, _ counted: [AttemptRecord], _ comparison: Comparison, _ rivals: [AttemptRecord]
    ) -> Budget.Origin {
        if let origin = budget.origin { return origin }
        guard budget.metric.definition.isFromBegin, counted.allSatisfy({ $0.conduct?.isCommand == true }) else {
            return .begin
        }
        let first = Metric.timeToFirstPacket
        let all =
            Self.samples(of: first, from: .begin, in: counted) + baseline(of: first, from: .begin, comparison, rivals)
        return all.allSatisfy { $0.sample != .unknown } ? .firstPacket : .begin
    }

    private func baseline(
        of metric: Metric, from origin: Budget.Origin, _ comparison: Comparison, _ rivals: [AttemptRecord]
    ) -> [(number: Int, sample: Sample)] {
        guard case .stored(let stored) = comparison.source else {
            return Self.samples(of: metric, from: origin, in: rivals)
        }
        return stored.enumerated().map { ($0.offset + 1, $0.element.sample(metric, from: origin)) }
    }

    /// Why there is no usable baseline; nil if there is one.
    private func void(_ comparison: Comparison, _ rivals: [AttemptRecord]) -> Finding? {
        switch comparison.source {
        case .refused(let finding): return finding
        case .stored(let samples):
            guard samples.count < Comparison.fewestAttempts else { return nil }
            let detail = "it has \(samples.count) attempts, and \(Comparison.fewestAttempts) are needed"
            return Finding(.baselineMissing, detail)
        case .interleaved:
            let failed = rivals.compactMap { attempt in failure(ofRival: attempt).map { (attempt.number, $0) } }
            guard let first = failed.first else { return nil }
            return Finding(
                .baselineFailed, "the baseline failed in \(Budget.list(failed.map(\.0))): \(first.1.withoutFullStop)")
        }
    }

    /// What the baseline's client did wrong in an attempt; nil if it did what was expected.
    private func failure(ofRival attempt: AttemptRecord) -> String? {
        let findings = (unexpectedFindings(attempt) + statusFindings(attempt)).filter {
            $0.attribution.row.subject == .client
        }
        if let finding = findings.first { return finding.description }
        return expectations.map { $0.judge([attempt]) }.first { $0.verdict == .fail }?.sentence
    }

    /// Findings about the infrastructure in the baseline's attempts, which share the machine and the link.
    func rivalFindings(_ made: [AttemptRecord]) -> [Finding] {
        made.filter(\.isCompared).flatMap(unexpectedFindings).filter { $0.attribution.row.subject != .client }
    }

    private func unjudged(
        _ budget: Budget, _ here: [(number: Int, sample: Sample)], _ why: String
    ) -> CheckResult {
        let evidence = Evidence(
            metric: budget.metric, unit: budget.metric.unit, statistic: "\(budget.statistic)",
            values: here.map(\.sample.value), basis: .baseline)
        let result = budget.result(.infrastructure, "not evaluated: \(why.withoutFullStop)", evidence)
        return gated(result, budget)
    }
}
