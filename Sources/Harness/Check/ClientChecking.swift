package import Results
package import Scenarios

/// Asks a client of the user's what scenarios ask, and says what holds, what fails, and what cannot be seen.
package struct ClientChecking: Sendable {
    package let asked: [AskedScenario]
    package let command: CheckedCommand
    /// How scenarios are run; its own scenarios do not matter.
    package let run: Run

    package init(_ asked: [AskedScenario], command: CheckedCommand, run: Run) {
        self.asked = asked
        self.command = command
        self.run = run
    }

    /// What came of it, and the run itself; no run where the client does not even download over a good link.
    ///
    /// Throws as ``Run/perform()`` does.
    package func perform() async throws -> (report: ClientReport, result: RunResult) {
        let start = ContinuousClock.now
        func report(_ rows: [ClientReport.Row], of result: RunResult) -> ClientReport {
            ClientReport(
                toolVersion: run.toolVersion, command: command.words, patienceSeconds: command.patience.seconds,
                durationSeconds: start.duration(to: .now).seconds, rows: rows)
        }
        let control = asked.filter { $0.check.role == .control }
        let others = asked.filter { $0.check.role != .control }
        let first = try await perform(control)
        var rows = self.rows(control, first)
        guard !control.isEmpty, rows.allSatisfy({ $0.answer == .holds }) else {
            let why = "nothing can be said of a client that does not download over a good link"
            return (report(rows + others.map { $0.row(.notObservable, why) }, of: first), first)
        }
        let askable = others.filter { unseen($0) == nil }
        let result = try await perform(askable)
        var known = self.rows(askable, result)
        known = withoutTrust(known, askable)
        rows += known + others.compactMap { other in unseen(other).map { other.row(.notObservable, $0) } }
        return (report(rows, of: result), result)
    }

    private func perform(_ asked: [AskedScenario]) async throws -> RunResult {
        var run = run
        run.scenarios = asked.compactMap(\.scenario)
        return try await run.perform()
    }

    /// A row for each scenario that was run; of one that has several cells, its worst.
    private func rows(_ asked: [AskedScenario], _ result: RunResult) -> [ClientReport.Row] {
        asked.map { question in
            let names = Set(question.scenario?.cells.map(\.id) ?? [])
            let cells = result.cells.filter { names.contains($0.scenario) }
            guard let worst = cells.max(by: { $0.exitCode < $1.exitCode }) else {
                return question.row(.notMeasured, "the run ended before it was tried")
            }
            return ClientReport.Row(name: question.name, says: question.check.says, of: worst)
        }
    }

    /// Why this client cannot be asked; nil where it can.
    private func unseen(_ asked: AskedScenario) -> String? {
        if let why = asked.check.unobservable { return why }
        guard asked.check.needs.contains(.digest), !command.isToldDigest else { return nil }
        return "nothing tells this client what the pack is: give it {digest}, the SHA-256, or say --knows-digest"
    }

    /// What a client does about certificates that are wrong says nothing where it trusts none at all.
    private func withoutTrust(_ rows: [ClientReport.Row], _ asked: [AskedScenario]) -> [ClientReport.Row] {
        let trusting = zip(asked, rows).filter { $0.0.check.role == .authority }
        guard trusting.contains(where: { $0.1.answer != .holds }) else { return rows }
        let why =
            "it does not download over TLS from a host of the run's own authority, which {ca}, CURL_CA_BUNDLE, "
            + "SSL_CERT_FILE and REQUESTS_CA_BUNDLE name"
        return zip(asked, rows).map { question, row in
            let isConcerned = question.check.needs.contains(.authority) || question.check.role == .authority
            return isConcerned ? question.row(.notObservable, why) : row
        }
    }
}

extension AskedScenario {
    fileprivate func row(_ answer: ClientReport.Answer, _ detail: String) -> ClientReport.Row {
        ClientReport.Row(name: name, says: check.says, answer: answer, detail: detail)
    }
}
