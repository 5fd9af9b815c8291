import LinkModel
import PackHost
package import Results
package import Scenarios

/// What the results of checks say about a client of the user's: which hold, which fail, which cannot be observed.
package enum ClientAnswers {
    /// A row for each scenario that was run; for one with several cells, the worst cell.
    package static func rows(_ asked: [AskedScenario], _ result: RunResult) -> [ClientReport.Row] {
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

    /// The highest value of each metric in the control.
    package static func values(_ control: RunResult) -> [Metric: Double] {
        let attempts = control.cells.flatMap(\.countedAttempts)
        return Dictionary(
            uniqueKeysWithValues: Metric.allCases.compactMap { metric in
                attempts.compactMap { $0.samples[metric].value }.max().map { (metric, $0) }
            })
    }

    /// The answer and reason for all other checks, if they are not run; nil if the control holds.
    package static func obstacle(_ control: [ClientReport.Row]) -> (ClientReport.Answer, String)? {
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
    package static func withoutTrust(_ rows: [ClientReport.Row], _ asked: [AskedScenario]) -> [ClientReport.Row] {
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
                    + Placeholder.authorityVariables.joined(separator: ", ")
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
    /// Why this client cannot be checked; nil if it can.
    package func unseen(by command: CheckedCommand) -> String? {
        if let why = check.unobservable { return why }
        if let lasts = check.lasts, command.within < lasts {
            return "this check needs '--within \(lasts.word)', and --within is \(command.within.text)"
        }
        if check.needs.contains(.credentials), !command.takesCredentials {
            // Redaction would take what follows "credentials:" for a secret.
            return "pass this client the header fields in {headers}: without them it sends no credentials"
        }
        for cell in scenario?.cells ?? [] {
            let silences = cell.silences
            if cell.expectations.areAvailable, let longest = silences.max(), longest >= command.patience {
                return "the host is silent for \(longest.text) here, and the patience is \(command.patience.text)"
            }
            let all = silences.reduce(.zero, +)
            if all >= command.within {
                return "the host is silent for \(all.text) here, and --within is \(command.within.text)"
            }
        }
        guard check.needs.contains(.digest), !command.isToldDigest else { return nil }
        return "this client does not know the pack's hash: pass it the SHA-256 in {digest}, or give --knows-digest"
    }

    /// A row with an answer that no run gave.
    package func row(_ answer: ClientReport.Answer, _ detail: String) -> ClientReport.Row {
        ClientReport.Row(name: name, says: check.says, answer: answer, detail: detail)
    }
}
