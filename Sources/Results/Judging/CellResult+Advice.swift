extension CellResult {
    /// Advice for a failure that no named bug explains: what a good client does, with the source.
    ///
    /// It has a sentence for each kind of failure, content and crashes first. It is empty if nothing failed, if a bug
    /// explains the failure, or if there is no general advice. It describes good clients, and does not say that this
    /// one behaves otherwise.
    package var advice: [String] {
        guard verdict == .fail, (diagnoses ?? []).isEmpty else { return [] }
        let found = findings.compactMap(\.attribution.row.advice)
        let failed = checks.filter { $0.verdict == .fail && $0.decides }
        let ends = failed.filter { $0.kind == .expectation && ConductExpectation.Word(rawValue: $0.name) == nil }
        let unmet = Set(ends.flatMap(\.brokenIn))
        // A moment that never came because the download failed is not a separate failure.
        let own = failed.filter { check in
            check.kind != .budget || check.evidence?.measured != nil || !unmet.isSuperset(of: check.brokenIn)
        }
        var all = found + own.flatMap { check in advice(on: check) }
        // An unexpected exit status mostly comes with a failed check that says more.
        if all.isEmpty, findings.contains(where: { $0.attribution == .clientFailed }) {
            all = [countedAttempts.first?.givesUpAdvice ?? ClientReport.Severity.givesUp.advice]
        }
        return all.grouped { $0 }.map { $0[0] }
    }

    private func advice(on check: CheckResult) -> [String] {
        if let metric = check.evidence?.metric {
            return [slowness(of: metric) ?? metric.definition.advice()].compactMap { $0 }
        }
        if let word = ConductExpectation.Word(rawValue: check.name) {
            return [advice(on: word, check)].compactMap { $0 }
        }
        guard let expectation = try? Expectation(check.asked) else { return [] }
        // A check of one request has a name such as `circle.error`.
        let own = check.name.hasSuffix("." + expectation.name) ? check.name.dropLast(expectation.name.count + 1) : nil
        return attempts.filter { check.brokenIn.contains($0.number) }.flatMap { attempt in
            attempt.requests.filter { (own.map(String.init) ?? $0.id) == $0.id && !expectation.isMet(by: $0) }
                .compactMap { Self.advice(on: $0, of: attempt, expectation) }
        }
    }

    /// Where a download spent the time beyond ideal, with what a good client does there.
    ///
    /// Nil if that is unknown or unclear.
    private func slowness(of metric: Metric) -> String? {
        guard metric == .timeToAvailable else { return nil }
        var (before, after) = ([Double](), [Double]())
        for attempt in countedAttempts {
            guard let whole = attempt.samples[.timeToAvailable].value,
                let first = attempt.samples[.timeToFirstByte].value, let idealWhole = attempt.ideal[.timeToAvailable],
                let idealFirst = attempt.ideal[.timeToFirstByte]
            else { continue }
            before.append(first - idealFirst)
            after.append((whole - first) - (idealWhole - idealFirst))
        }
        guard let early = Statistics.median(before), let late = Statistics.median(after), max(early, late) > 0 else {
            return nil
        }
        func text(_ seconds: Double) -> String { Quantity(seconds, .seconds).rounded() }
        guard early > late else {
            if let wait = countedAttempts.compactMap(\.conduct?.waitForLink).max(by: { $0.after < $1.after }) {
                return "Limit the time without bytes to a few seconds, then connect again and request the missing "
                    + "bytes: the link was out for \(text(wait.outage)), and the request that waited through it ended "
                    + "\(text(wait.after)) after the link was back (RFC 6298 section 5.5: TCP doubles its pauses)."
            }
            return "Keep a connection busy to its end, and reuse it: "
                + "\(text(late)) of the time beyond ideal passed after the first byte (RFC 9112 section 9.3; RFC 5681 section 3.1)."
        }
        return "Request the first byte at once: \(text(early)) of the time beyond ideal passed before it (lookups, "
            + "connections and redirects take round trips: RFC 9112 section 9.3)."
    }

    private func advice(on word: ConductExpectation.Word, _ check: CheckResult) -> String? {
        switch word {
        case .callback: ClientBug.callsBackTwice.row.advised
        case .ends: ClientBug.leaksPins.row.advised
        case .refetched: ClientReport.Severity.wasteful.advice
        case .retries: isTooOften(check) ? ClientReport.Severity.wasteful.advice : ClientReport.Severity.givesUp.advice
        case .backOff: ClientBug.retriesWithoutBackOff.row.advised
        case .afterCancel: ClientBug.ignoresCancel.row.advised
        case .order: ClientBug.ignoresPriority.row.advised
        case .keeps: ClientReport.Severity.losesData.advice
        case .leftovers: ClientBug.leavesFilesBehind.row.advised
        // What these require is specific to the scenario.
        case .notification, .stored, .purged, .kept, .output, .oracle: nil
        }
    }

    /// Whether a pack was requested more often than a check of retries allows, rather than too seldom.
    private func isTooOften(_ check: CheckResult) -> Bool {
        guard let most = check.asked.split(separator: "-").last.flatMap({ Int($0) }),
            let attempt = attempts.first(where: { check.brokenIn.contains($0.number) })
        else { return false }
        return attempt.conduct?.packs?.contains { $0.requests - 1 > most } == true
    }

    private static func advice(
        on outcome: RequestOutcome, of attempt: AttemptRecord, _ expectation: Expectation
    ) -> String? {
        switch (expectation, outcome.result) {
        case (_, .unknown), (.noCallback, _), (.answer, _): return nil
        case (_, .noCallback):
            let isHung = attempt.clientEnd?.wasStopped == true
            return isHung ? ClientReport.Severity.hangs.advice : ClientBug.neverReportsError.row.advised
        case (.available, .error): return isWorthATry(outcome) ? attempt.givesUpAdvice : nil
        case (.available, .available): return Metric.timeToAvailable.definition.advice()
        case (.error, .available):
            let isCommand = outcome.id == "command"
            return isCommand ? ClientReport.Severity.claimsSuccess.advice : ClientBug.neverReportsError.row.advised
        case (.error(let pattern, _), .error):
            return pattern.matches(outcome) ? nil : ClientBug.wrongErrorCode.row.advised
        case (.either, .error), (.either, .available): return nil
        }
    }

    /// Whether an error may come from the link or a busy host, so that a retry is worthwhile.
    private static func isWorthATry(_ outcome: RequestOutcome) -> Bool {
        guard outcome.domain == "NSURLErrorDomain" else { return outcome.id == "command" }
        return [-1001, -1003, -1004, -1005, -1009, -1011].contains(outcome.code)
    }
}

extension AttemptRecord {
    /// Whether the client ended without a connection or a request, although the link was there, and lookups were fast.
    private var triedNothing: Bool {
        guard let conduct, conduct.outages.isEmpty, conduct.lookupDelaySeconds == nil else { return false }
        return conduct.fetches?.isEmpty == true && conduct.firstConnectionSeconds == nil
    }

    /// What to do about an error that a good client would not have ended with.
    var givesUpAdvice: String {
        triedNothing
            ? "Connect to the host. This client never did: run its command by hand, and see what it prints."
            : ClientReport.Severity.givesUp.advice
    }
}

extension ClientBug.Row {
    /// What a good client does, with the source, as one sentence.
    package var advised: String { "\(advice.withoutFullStop) (\(source))." }
}

extension ConductRecord {
    /// The longest outage that a request waited through, and how long that request went on after it, in seconds.
    ///
    /// Nil if no request did.
    fileprivate var waitForLink: (outage: Double, after: Double)? {
        guard let fetches else { return nil }
        return outages.filter { $0.kind != "cut" }.compactMap { outage -> (outage: Double, after: Double)? in
            guard let until = outage.untilSeconds else { return nil }
            let waited = fetches.filter { $0.beganSeconds < outage.fromSeconds && $0.endedSeconds > until }
            return waited.map { $0.endedSeconds - until }.max().map { (until - outage.fromSeconds, $0) }
        }.max { $0.outage < $1.outage }
    }
}
