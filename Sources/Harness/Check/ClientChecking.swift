import LinkModel
import PackFormat
import ResultFiles
package import Results
package import Scenarios

/// Checks a client of the user's with scenarios; reports which checks hold, which fail, and which cannot be observed.
package struct ClientChecking: Sendable {
    package let asked: [AskedScenario]
    package let command: CheckedCommand
    /// How scenarios are run; its own scenarios are ignored.
    package let run: Run

    package init(_ asked: [AskedScenario], command: CheckedCommand, run: Run) {
        self.asked = asked
        self.command = command
        self.run = run
    }

    /// Runs the checks; returns the report and the run.
    ///
    /// If the client fails the control, a download over a good link, only the control is run. Throws the errors of
    /// ``Run/perform()``, and `InvalidFiles` if the client cannot be executed.
    package func perform() async throws -> (report: ClientReport, result: RunResult) {
        let start = ContinuousClock.now
        if let folder = run.output, ReportOwner(folder: folder).hasForeignCheck {
            throw ResultFileError.foreignFiles(folder, names: [ClientReport.fileName])
        }
        func report(_ rows: [ClientReport.Row], of result: RunResult) -> ClientReport {
            ClientReport(
                toolVersion: run.toolVersion, command: command.words, patienceSeconds: command.patience.seconds,
                durationSeconds: start.duration(to: .now).seconds, rows: rows)
        }
        let controls = asked.filter { $0.check.role == .control }
        let others = asked.filter { $0.check.role != .control }
        // One record for both parts, so that the results contain the control, too.
        let record = try running(controls).record(of: cells(controls))
        let first = try await running(controls).perform(cells(controls), into: record)
        try Self.checkStart(of: first)
        var rows = self.rows(controls, first)
        if let (answer, why) = Self.obstacle(rows) {
            return (report(rows + others.map { $0.row(answer, why) }, of: first), first)
        }
        let control = Self.values(first)
        func isComparable(_ other: AskedScenario) -> Bool { other.controlMetrics.allSatisfy { control[$0] != nil } }
        let askable = others.filter { unseen($0) == nil && isComparable($0) }.map { $0.limited(over: control) }
        let number = record.extend(by: cells(askable))
        let result = try await running(askable).perform(cells(askable), into: record, from: number)
        var known = self.rows(askable, result)
        known = Self.withoutTrust(known, askable)
        rows += known + others.compactMap { other in unseen(other).map { other.row(.notObservable, $0) } }
        rows += others.filter { unseen($0) == nil && !isComparable($0) }.map {
            $0.row(.notMeasured, "the control did not measure what this check compares with")
        }
        return (report(rows, of: result), result)
    }

    /// Throws if the client could not be started in any attempt of the control.
    private static func checkStart(of control: RunResult) throws(InvalidFiles) {
        let attempts = control.cells.flatMap(\.attempts)
        let findings = attempts.compactMap { $0.findings.first { $0.attribution == .clientNotStarted } }
        guard let finding = findings.first, findings.count == attempts.count else { return }
        throw InvalidFiles(
            "could not start the client: \(finding.detail.withoutFullStop)",
            hint: "run it yourself: a program of it may be missing, need a loader (ldd), or be made for another machine"
        )
    }

    /// The highest value of each metric in the control.
    private static func values(_ control: RunResult) -> [Metric: Double] {
        let attempts = control.cells.flatMap(\.countedAttempts)
        return Dictionary(
            uniqueKeysWithValues: Metric.allCases.compactMap { metric in
                attempts.compactMap { $0.samples[metric].value }.max().map { (metric, $0) }
            })
    }

    private func running(_ asked: [AskedScenario]) -> Run {
        var run = run
        run.scenarios = asked.compactMap(\.scenario)
        run.cellDeadlineOption = "--within"
        return run
    }

    private func cells(_ asked: [AskedScenario]) -> [Cell] { asked.compactMap(\.scenario).flatMap(\.cells) }

    /// A row for each scenario that was run; for one with several cells, the worst cell.
    private func rows(_ asked: [AskedScenario], _ result: RunResult) -> [ClientReport.Row] {
        asked.map { question in
            let names = Set(question.scenario?.cells.map(\.id) ?? [])
            let cells = result.cells.filter { names.contains($0.scenario) }
            guard let worst = cells.max(by: { $0.exitCode < $1.exitCode }) else {
                return question.row(.notMeasured, "the run ended before this check")
            }
            return ClientReport.Row(
                name: question.name, says: question.check.says, of: worst, needs: question.check.needs)
        }
    }

    /// Why this client cannot be checked; nil if it can.
    private func unseen(_ asked: AskedScenario) -> String? {
        if let why = asked.check.unobservable { return why }
        if let lasts = asked.check.lasts, command.within < lasts {
            return "this check needs '--within \(lasts.word)', and --within is \(command.within.text)"
        }
        if asked.check.needs.contains(.credentials), !command.takesCredentials {
            // Redaction would take what follows "credentials:" for a secret.
            return "pass this client the header fields in {headers}: without them it sends no credentials"
        }
        for cell in asked.scenario?.cells ?? [] {
            let silences = cell.silences
            if cell.expectations.areAvailable, let longest = silences.max(), longest >= command.patience {
                return "the host is silent for \(longest.text) here, and the patience is \(command.patience.text)"
            }
            let all = silences.reduce(.zero, +)
            if all >= command.within {
                return "the host is silent for \(all.text) here, and --within is \(command.within.text)"
            }
        }
        guard asked.check.needs.contains(.digest), !command.isToldDigest else { return nil }
        return "this client does not know the pack's hash: pass it the SHA-256 in {digest}, or give --knows-digest"
    }

    /// The answer and reason for all other checks, if they are not run; nil if the control holds.
    static func obstacle(_ control: [ClientReport.Row]) -> (ClientReport.Answer, String)? {
        if let failed = control.first(where: { $0.answer == .fails }) {
            let why = "a client that does not download over a good link cannot be checked"
            return (
                .notObservable, failed.severity == .wasteful ? "no other check runs when the control fails" : why
            )
        }
        guard let unsure = control.first(where: { $0.answer != .holds }) else {
            return control.isEmpty ? (.notObservable, "the control, an undisturbed download, was not run") : nil
        }
        let what = unsure.answer == .notObservable ? "is not observable" : "was not measured"
        return (unsure.answer, "the control \(what): \(unsure.detail)")
    }

    /// Replaces answers on wrong certificates, which mean little for a client that trusts no authority of the run.
    ///
    /// Only a client that gives up counts as one that does not trust the run's authority. Faults that do not depend on
    /// trust stay.
    static func withoutTrust(_ rows: [ClientReport.Row], _ asked: [AskedScenario]) -> [ClientReport.Row] {
        let authority = zip(asked, rows).filter { $0.0.check.role == .authority }.map(\.1)
        let untrusting = authority.filter { $0.answer != .holds && $0.severity != .wasteful }
        guard let first = untrusting.first(where: { $0.answer != .notMeasured }) ?? untrusting.first else {
            return rows
        }
        let isTrustless = first.answer == .notObservable || first.severity == .givesUp
        let why =
            switch (first.answer, isTrustless) {
            case (.notMeasured, _): "its download over TLS was not measured: \(first.detail)"
            case (_, true):
                "it does not download over TLS with the run's own certificate authority, which is in {ca}, "
                    + ClientCommand.authorityVariables.joined(separator: ", ")
            default: "certificates cannot be checked without a successful download over TLS"
            }
        return zip(asked, rows).map { question, row in
            if question.check.role == .authority {
                let isDue = row.severity == .givesUp || row.answer == .notObservable
                return isDue ? question.row(.notObservable, why) : row
            }
            guard question.check.needs.contains(.authority), !row.isBadAnyway else { return row }
            return question.row(first.answer == .notMeasured ? .notMeasured : .notObservable, why)
        }
    }
}

extension Scenarios.Cell {
    /// How long the host sends nothing on purpose, for each time after which it goes on.
    fileprivate var silences: [Duration] {
        hostFaults.compactMap { fault in
            switch fault.action {
            case .lateHead(let duration): duration
            case .stall(_, let duration): duration
            default: nil
            }
        }
    }
}

extension ClientReport.Row {
    /// Whether the failure does not depend on trust.
    fileprivate var isBadAnyway: Bool {
        switch severity {
        case .insecure, .wrongData, .crashes, .losesData, .claimsSuccess, .hangs: true
        case .givesUp, .wasteful, nil: false
        }
    }
}

extension AskedScenario {
    fileprivate func row(_ answer: ClientReport.Answer, _ detail: String) -> ClientReport.Row {
        ClientReport.Row(name: name, says: check.says, answer: answer, detail: detail)
    }
}
