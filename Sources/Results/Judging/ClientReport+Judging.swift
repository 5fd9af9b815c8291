extension ClientReport.Row {
    /// The row for a cell that tested the client.
    ///
    /// It holds only if the attempts show everything in `needs`.
    package init(name: String, says: String, of cell: CellResult, needs: Set<ClientReport.Need> = []) {
        self.init(name: name, says: says, answer: .holds, again: cell.replayCommand)
        durationSeconds = cell.durationSeconds
        if let use = cell.useOfExisting {
            (answer, again, detail) = (.notObservable, nil, use)
            return
        }
        switch cell.verdict {
        case .pass: leaveOutUnmet(cell, needs)
        case .fail:
            answer = .fails
            let client = cell.findings.filter { $0.attribution.row.subject == .client }
            severity = cell.severity
            detail = Self.failure(cell, client)
            advice = severity == .wasteful ? cell.wasteAdvice : severity?.advice
            if severity == .givesUp {
                advice = cell.countedAttempts.first?.givesUpAdvice ?? advice
                endEarly(cell)
            }
            if answer == .fails, let diagnosis = cell.diagnoses?.first { explain(by: diagnosis) }
        case .infrastructure, .inconclusive:
            let reasons = cell.findings.filter { $0.attribution.row.subject != .client }
            let isUnseen = !reasons.isEmpty && reasons.allSatisfy { Self.unseen.contains($0.attribution) }
            answer = isUnseen ? .notObservable : .notMeasured
            let unmet = isUnseen && reasons[0].attribution == .faultNotPlayed ? Self.unplayed(cell) : nil
            detail =
                unmet.map { "\(Self.unreached): \($0)" }
                ?? (reasons.first.map { "\($0)" } ?? cell.checks.first { $0.verdict != .pass }?.sentence ?? "")
                .withoutFullStop
        }
    }

    private mutating func explain(by diagnosis: BugDiagnosis) {
        (bug, event) = (diagnosis.bug, diagnosis.event)
        if [.acceptsWrongCertificate, .widensPermissions].contains(diagnosis.bug) { severity = .insecure }
        // A detail that a check already gives is not repeated.
        let isTold = detail.contains(diagnosis.detail)
        detail += (isTold ? "" : "; " + diagnosis.detail.withoutFullStop) + (diagnosis.moment.map { " (\($0))" } ?? "")
        advice = diagnosis.bug.row.advised
    }

    /// Makes the row not observable if the client ended before it reached what the row is about.
    private mutating func leaveOutUnmet(_ cell: CellResult, _ needs: Set<ClientReport.Need> = []) {
        let attempts = cell.countedAttempts
        let lacks = ClientReport.Need.allCases.filter(needs.contains).lazy.compactMap { need in
            attempts.lazy.compactMap { $0.conduct.flatMap(need.lack) }.first
        }
        guard let unmet = lacks.first ?? Self.unplayed(cell) else { return }
        (answer, severity, again, advice) = (.notObservable, nil, nil, nil)
        detail = "\(Self.unreached): \(unmet)"
    }

    /// How the detail begins if the client never reached the situation that the check is about.
    package static let unreached = "it never reached the situation"

    /// The faults that never happened; nil if all did.
    ///
    /// If they wait for a later request that the client never made, the text says so.
    private static func unplayed(_ cell: CellResult) -> String? {
        for attempt in cell.countedAttempts {
            guard let faults = attempt.unplayedFaults else { continue }
            let isOfLaterTry = faults.contains("try=") && !faults.contains("try=1")
            guard isOfLaterTry, let conduct = attempt.conduct, let lack = ClientReport.Need.secondTry.lack(in: conduct)
            else { return faults }
            return "\(lack): \(faults)"
        }
        return nil
    }

    /// Makes the row not observable if the client gave up before the first fault.
    ///
    /// A client that gives up at the first of several faults fails.
    private mutating func endEarly(_ cell: CellResult) {
        guard let unmet = cell.countedAttempts.lazy.compactMap(\.unplayedFaults).first else { return }
        guard cell.countedAttempts.contains(where: { $0.playedFaults ?? 0 > 0 }) else { return leaveOutUnmet(cell) }
        detail += "; it ended before all faults had happened: \(unmet)"
    }

    /// Findings that only mean that this client cannot be observed in the situation.
    private static let unseen: Set<Attribution> = [.faultNotPlayed, .metricMissing]

    /// What happened in the first attempt that failed, in one line.
    private static func failure(_ cell: CellResult, _ findings: [Finding]) -> String {
        let numbers = findings.compactMap(\.attempt) + cell.checks.filter { $0.verdict == .fail }.flatMap(\.brokenIn)
        let attempt = cell.attempts.first { numbers.contains($0.number) } ?? cell.countedAttempts.first
        var parts: [String] = []
        if let attempt, let outcome = attempt.requests.first {
            parts.append(outcome.ending(attempt, isNamed: cell.diagnoses?.isEmpty == false))
        }
        let details: Set<Attribution> = [
            .contentWrong, .contentIncomplete, .callbackRepeated, .clientFlooded, .requestMisused, .redirectUnsafe,
        ]
        parts += findings.filter { details.contains($0.attribution) }.prefix(2).map { $0.detail.withoutFullStop }
        parts += cell.checks.filter { $0.verdict == .fail && $0.isOfConduct }.prefix(2).map(\.conductText)
        let budgets = cell.checks.filter { $0.verdict == .fail && $0.kind == .budget }
        parts += budgets.prefix(2).map(\.excess)
        // The last line of a client that was stopped is mostly its progress.
        let isHung = findings.contains { $0.attribution == .clientHung }
        if let words = attempt?.clientOutput?.last, !words.isEmpty, !isHung || words.isSentence {
            parts.append("it said: \(words)")
        }
        return parts.joined(separator: "; ")
    }
}

extension CellResult {
    /// How bad the failure is for the people who use the client; nil if it did not fail.
    package var severity: ClientReport.Severity? {
        guard verdict == .fail else { return nil }
        let found = Set(findings.map(\.attribution).filter { $0.row.subject == .client })
        if found.contains(.redirectUnsafe) { return .insecure }
        if !found.isDisjoint(with: [.contentWrong, .contentIncomplete]) { return .wrongData }
        if found.contains(.clientCrashed) { return .crashes }
        let broken = Set(checks.filter { $0.verdict == .fail }.map(\.name))
        if broken.contains(ConductExpectation.Word.keeps.rawValue) { return .losesData }
        if found.contains(.clientHung) { return .hangs }
        if broken.contains(ConductExpectation.Word.oracle.rawValue) { return .wrongData }
        // A client that succeeds but requests too soon or too often is wasteful, and does not give up.
        let failed = checks.filter { $0.verdict == .fail && $0.kind == .expectation && !$0.isOfConduct }
        guard !failed.isEmpty || found.contains(.clientFailed) else { return .wasteful }
        let hasSucceeded = countedAttempts.contains { attempt in
            failed.contains { $0.brokenIn.contains(attempt.number) }
                && attempt.requests.contains { $0.result == .available }
        }
        return hasSucceeded ? .claimsSuccess : .givesUp
    }

    /// How a client avoids waste, by the first check that failed; nil if there is no advice.
    fileprivate var wasteAdvice: String? {
        guard let metric = checks.first(where: { $0.verdict == .fail })?.evidence?.metric else {
            return ClientReport.Severity.wasteful.advice
        }
        return metric.definition.advice()
    }
}

extension CheckResult {
    /// Whether it is about a client's conduct, and not about its result.
    fileprivate var isOfConduct: Bool { kind == .expectation && ConductExpectation.Word(rawValue: name) != nil }

    /// What was wrong with a client's conduct, without the attempt's number.
    fileprivate var conductText: String {
        let number = brokenIn.first.map { "attempt \($0): " } ?? ""
        return (sentence.hasPrefix(number) ? String(sentence.dropFirst(number.count)) : sentence).withoutFullStop
    }

    /// By how much a budget was broken, as part of a sentence.
    fileprivate var excess: String {
        guard let evidence, let measured = evidence.measured, let limit = evidence.limit else {
            return "\(name) was \(sentence)"
        }
        let (was, most) = Quantity.pair(Quantity(measured, evidence.unit), limit: Quantity(limit, evidence.unit))
        return "\(evidence.metric.rawValue) was \(was), and the limit is \(most)"
    }
}

extension String {
    /// Whether it is mostly letters, unlike a line of a progress bar.
    fileprivate var isSentence: Bool { count { $0.isLetter } * 2 > count { !$0.isWhitespace } && !contains("%") }
}

extension RequestOutcome {
    /// How a command ended, as part of a sentence.
    ///
    /// If a named bug explains the failure (`isNamed`), the text suggests no option that would show more.
    fileprivate func ending(_ attempt: AttemptRecord, isNamed: Bool) -> String {
        let after = seconds.map { " after \(Quantity($0, .seconds).rounded())" } ?? ""
        switch result {
        case .available: return "it ended with status 0\(after)"
        case .error where domain == "exit": return "it ended with status \(code ?? 0)\(after)"
        case .error: return "it reported an error, \(domain ?? "") \(code.map(String.init) ?? "")\(after)"
        case .noCallback:
            if let end = attempt.clientEnd, let signal = end.signal, !end.wasStopped {
                return end.exitStatus.map { "it ended with status \($0): signal \(signal) ended the program in it" }
                    ?? "signal \(signal) ended it"
            }
            return attempt.watched(isNamed: isNamed)
        case .unknown: return "its outcome is unknown"
        }
    }
}

extension AttemptRecord {
    /// For how long a client that did not end was watched, as part of a sentence, and which option shows whether it
    /// ends.
    fileprivate func watched(isNamed: Bool) -> String {
        let ran = Quantity(conduct?.endedSeconds ?? durationSeconds, .seconds).rounded()
        guard let conduct, let idle = conduct.idleTimeoutSeconds else {
            return "it was still running after \(ran), and was stopped"
        }
        func hint(_ options: String, watched seconds: Double) -> String {
            isNamed || conduct.hasKnownPatience || seconds >= ConductRecord.longestUsualLimit
                ? "" : "; try '\(options)' to see whether it ends by itself"
        }
        guard let silence = conduct.silentSeconds else {
            let sign = conduct.lastSignSeconds.map { Quantity(max(0, conduct.endedSeconds - $0), .seconds).rounded() }
            return "it was still running after \(ran)"
                + (sign.map { ", with its last sign of life \($0) before" } ?? "")
                + ", and was stopped" + hint("--within 15min", watched: conduct.endedSeconds)
        }
        let patience = Quantity(conduct.patienceSeconds, .seconds).rounded()
        return
            "it had no network traffic for \(Quantity(silence, .seconds).rounded()), longer than the patience of "
            + "\(patience), and it was stopped after \(ran)" + hint("--patience 15min", watched: idle)
    }
}

extension ClientReport.Severity {
    /// What a good client does, with the source, if only the severity of a failure is known.
    var advice: String {
        switch self {
        case .wrongData:
            "Check the size and hash of the whole file before you use it, and download it again if they differ "
                + "(docs/reference/client.md, What it promises: nothing wrong is ever visible)."
        case .insecure:
            "Send credentials only to their own origin, and never leave HTTPS for HTTP (RFC 9110 sections 15.4 "
                + "and 4.2.2)."
        case .crashes:
            "Expect any answer of the host and of the system, and report an error that names it (exit(3))."
        case .losesData: "Do not touch an existing file until the complete new one replaces it (rename(2))."
        case .claimsSuccess: "Exit with a status other than 0 if the pack is not there (exit(3))."
        case .hangs:
            "Limit the idle time, over all attempts, and report an error then (Apple, "
                + "URLSessionConfiguration.timeoutIntervalForRequest)."
        case .givesUp:
            "Retry temporary failures, such as a lost connection, 429 and 5xx: after a pause, as Retry-After says, "
                + "and from the first missing byte (RFC 9110 sections 10.2.3, 14.2 and 15.6)."
        case .wasteful:
            "Request only what is missing, after pauses that grow (RFC 9110 section 14.2; RFC 6585 section 4)."
        }
    }
}
