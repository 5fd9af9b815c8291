extension CellPlan {
    /// The verdict on a cell.
    ///
    /// Trouble with the infrastructure in any counted attempt, or in the cell, makes the whole cell infrastructure;
    /// other results are kept for the report, but decide nothing. Otherwise a failed check, or a finding about the
    /// client, fails the cell. An inconclusive check makes it inconclusive, and it passes if every check passed.
    /// Advisory checks are judged like all others. Metrics without noise come first.
    ///
    /// - Parameters:
    ///   - made: All attempts in order, including those that do not count.
    ///   - cellFindings: What the harness found about the cell as a whole.
    /// - Returns: The verdict with the checks and the findings behind it.
    package func judge(
        _ made: [AttemptRecord],
        findings cellFindings: [Finding] = []
    ) -> Judgement {
        let counted = made.filter(\.isJudged)
        let compared = compare(counted, made)
        let checks =
            expectations.map { $0.judge(counted) } + conduct.map { $0.judge(counted) }
            + budgetsInOrder.map { compared.checks[$0] ?? judge($0, counted) }
        let deciding = checks.filter(\.decides)
        var findings = cellFindings + counted.flatMap(unexpectedFindings) + counted.flatMap(statusFindings)
        findings += Self.echoes(counted) + rivalFindings(made)
        if deciding.isEmpty { findings.append(Finding(.nothingChecked, "neither expectation nor budget")) }
        // If no attempt counts because of noise, or nothing could be measured, that is the reason, and missing metrics
        // are its consequence.
        if counted.isEmpty, !made.isEmpty {
            findings.append(Finding(.machineNoisy, "none of \(made.count) attempts counts"))
        } else if !made.isEmpty,
            !findings.contains(where: { [.headwind, .machine, .scenario].contains($0.attribution.row.subject) })
        {
            findings += deciding.filter { $0.verdict == .infrastructure && !compared.isVoid($0) }.map {
                Finding(.metricMissing, "\($0.name): \($0.sentence)")
            }
        }
        if !findings.contains(where: { $0.attribution.row.subject != .client }) {
            findings += missingAttempts(made)
        }
        findings += compared.trouble(beside: findings, deciding)
        let verdict = Self.verdict(deciding.filter { !compared.isVoid($0) }, findings)
        let exits = findings.filter { $0.attribution.row.verdict == verdict }.map(\.attribution.row.exitCode)
        var judgement = Judgement(
            checks: checks, findings: findings, verdict: verdict, exitCode: exits.max() ?? verdict.exitCode)
        judgement.diagnoses = diagnoses(made, judgement)
        return judgement
    }

    /// The budgets, those of metrics without noise first: if one of them is broken, times do not matter.
    private var budgetsInOrder: [Budget] {
        budgets.filter(\.metric.isNoiseFree) + budgets.filter { !$0.metric.isNoiseFree }
    }

    /// The findings of an attempt, without a hang if no callback is expected: such a client waits until it is stopped.
    func unexpectedFindings(_ attempt: AttemptRecord) -> [Finding] {
        let isSilenceExpected = expectations.contains { expected in
            guard case .noCallback = expected.expectation else { return false }
            return attempt.requests.contains { $0.result == .noCallback && expected.isAbout($0) }
        }
        return attempt.allFindings.filter { !(isSilenceExpected && $0.attribution == .clientHung) }
    }

    /// The findings for a command's exit status other than 0 that no expectation covers; see ``RequestOutcome``.
    func statusFindings(_ attempt: AttemptRecord) -> [Finding] {
        // A status of the shell itself is not the client's.
        let hasRun = !attempt.findings.contains { $0.attribution == .clientNotStarted }
        return attempt.requests.compactMap { outcome in
            guard hasRun, outcome.result == .error, outcome.domain == "exit", let status = outcome.code else {
                return nil
            }
            let isExpected = expectations.contains { expected in
                guard expected.isAbout(outcome) else { return false }
                switch expected.expectation {
                case .error(let pattern, _): return pattern.matches(outcome)
                case .either: return true
                case .available, .noCallback, .answer: return false
                }
            }
            return isExpected ? nil : Finding(.clientFailed, "exit \(status)", attempt: attempt.number)
        }
    }

    private static func verdict(_ checks: [CheckResult], _ findings: [Finding]) -> Verdict {
        if findings.contains(where: { $0.attribution.row.verdict == .infrastructure }) { return .infrastructure }
        return .combining(checks.map(\.verdict) + findings.map(\.attribution.row.verdict))
    }

    /// The samples of attempts, with the attempts' numbers.
    static func samples(
        of metric: Metric, from origin: Budget.Origin, in attempts: [AttemptRecord]
    ) -> [(number: Int, sample: Sample)] {
        attempts.map { attempt in
            let sample = attempt.samples.sample(metric, from: origin)
            // A sample that is missing because the client crashed or hung counts as a moment that never came.
            return (attempt.number, sample == .unknown && attempt.isClientAtFault ? Sample.neverCame : sample)
        }
    }

    /// Whether a check that decides lacks data in these attempts, which further attempts cannot make up for.
    func isBlind(_ made: [AttemptRecord]) -> Bool {
        let counted = made.filter(\.isJudged)
        let known =
            conduct.map { $0.judge(counted) }
            + budgets.filter { $0.bound.basis != .baseline }.map { judge($0, counted) }
        return known.contains { $0.decides && $0.verdict == .infrastructure }
    }

    private func judge(_ budget: Budget, _ counted: [AttemptRecord]) -> CheckResult {
        let metric = budget.metric
        let basis: Double? =
            switch budget.bound.basis {
            case nil: nil
            case .ideal: Self.strictest(counted.map { $0.ideal[metric] }, metric)
            case .reference: Self.all(counted.map { $0.reference[metric] }).flatMap(Statistics.median)
            case .baseline: nil
            }
        let origin = budget.origin ?? .begin
        return gated(budget.judge(Self.samples(of: metric, from: origin, in: counted), basis: basis), budget)
    }

    /// The result, marked as advisory or quarantined if its budget is.
    func gated(_ result: CheckResult, _ budget: Budget) -> CheckResult {
        var result = result
        switch budget.gating {
        case .blocking: break
        case .advisory: result.gating = .advisory
        case .quarantined(let quarantine):
            result.quarantine = quarantine
            if !quarantine.isOver(on: day) { result.gating = .quarantined }
        }
        return result
    }

    /// The ideal of all attempts that is hardest to reach; nil if one is unknown.
    private static func strictest(_ ideals: [Double?], _ metric: Metric) -> Double? {
        let known = all(ideals)
        return metric.definition.better == .lower ? known?.min() : known?.max()
    }

    private static func all(_ numbers: [Double?]) -> [Double]? {
        let known = numbers.compactMap { $0 }
        return known.count == numbers.count ? known : nil
    }

    /// Findings for properties whose measurement equals the set value, to the last bit, in every attempt.
    private static func echoes(_ counted: [AttemptRecord]) -> [Finding] {
        LinkMeasurement.Property.allCases.compactMap { property in
            let measured = counted.map { $0.link.filter { $0.property == property && $0.measured != nil } }
            let isEcho = !measured.isEmpty && measured.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isEcho) }
            return isEcho ? Finding(.calibrationNotIndependent, property.rawValue) : nil
        }
    }

    private func missingAttempts(_ made: [AttemptRecord]) -> [Finding] {
        let counted = made.count(where: \.isJudged)
        let numbers = made.map(\.number)
        if !numbering.isOf(numbers) {
            return [Finding(.attemptLost, "\(made.count) were made, numbered \(numbers.prefix(20))")]
        }
        let rivals = made.count(where: \.isCompared)
        if isInterleaved, rivals < attempts, counted >= attempts {
            return [Finding(.machineNoisy, "\(rivals) of \(attempts) attempts of the baseline count")]
        }
        guard counted < attempts else { return [] }
        let isNoisy = made.contains { !$0.counts }
        return [Finding(isNoisy ? .machineNoisy : .attemptLost, "\(counted) of \(attempts) attempts count")]
    }
}
