import Redaction

extension RunResult {
    /// The result for files and reports: without secrets in the command line and in all free texts.
    package var redacted: RunResult {
        var run = self
        run.commandLine = Redaction.arguments(commandLine)
        run.findings = findings.map(\.redacted)
        run.cells = cells.map(\.redacted)
        // Shards name their cells by the names after redaction.
        let renamed = shards == nil ? [] : Array(zip(cells.map(\.name), run.cells.map(\.name)))
        let names = Dictionary(renamed) { first, _ in first }
        run.shards = shards?.changingEach { shard in
            shard.commandLine = Redaction.arguments(shard.commandLine)
            shard.cells = shard.cells.map { names[$0] ?? Redaction.text($0) }
        }
        return run
    }
}

extension CellResult {
    /// The cell for files and reports; see ``RunResult/redacted``.
    package var redacted: CellResult {
        var cell = self
        cell.findings = findings.map(\.redacted)
        cell.diagnoses = diagnoses?.changingEach { $0.detail = Redaction.text($0.detail) }
        cell.title = title.map(Redaction.text)
        cell.source?.file = Redaction.text(source?.file ?? "")
        cell.point = point.changingEach { $0.value = Redaction.text($0.value) }
        cell.notes = notes.map(Redaction.text)
        cell.retriedInfrastructure = retriedInfrastructure.map(Redaction.text)
        cell.quarantine = quarantine?.redacted
        cell.checks = checks.changingEach { check in
            check.sentence = Redaction.text(check.sentence)
            check.quarantine = check.quarantine?.redacted
        }
        cell.attempts = attempts.changingEach { attempt in
            attempt.findings = attempt.findings.map(\.redacted)
            attempt.notes = attempt.notes.map(Redaction.text)
            attempt.unplayedFaults = attempt.unplayedFaults.map(Redaction.text)
            attempt.clientOutput = attempt.clientOutput?.map { Redaction.outputLine($0.utf8) }
            attempt.requests = attempt.requests.changingEach { $0.message = $0.message.map(Redaction.text) }
        }
        return cell
    }
}

extension Quarantine {
    fileprivate var redacted: Quarantine { Quarantine(until: until, reason: Redaction.text(reason)) }
}

extension Finding {
    /// The finding for files and reports, without secrets.
    package var redacted: Finding { Finding(attribution, Redaction.text(detail), attempt: attempt) }
}

extension ClientReport {
    /// The report without secrets.
    package var redacted: ClientReport {
        var report = self
        report.command = Redaction.arguments(command)
        report.rows = rows.changingEach { row in
            row.detail = Redaction.text(row.detail)
            row.again = row.again.map(Redaction.text)
        }
        return report
    }
}
