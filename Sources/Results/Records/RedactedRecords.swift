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
        run.shards = shards?.map { shard in
            var shard = shard
            shard.commandLine = Redaction.arguments(shard.commandLine)
            shard.cells = shard.cells.map { names[$0] ?? Redaction.text($0) }
            return shard
        }
        return run
    }
}

extension CellResult {
    /// The cell for files and reports; see ``RunResult/redacted``.
    package var redacted: CellResult {
        var cell = self
        cell.findings = findings.map(\.redacted)
        cell.diagnoses = diagnoses?.map { diagnosis in
            var diagnosis = diagnosis
            diagnosis.detail = Redaction.text(diagnosis.detail)
            return diagnosis
        }
        cell.title = title.map(Redaction.text)
        cell.source?.file = Redaction.text(source?.file ?? "")
        for index in point.indices { cell.point[index].value = Redaction.text(point[index].value) }
        cell.notes = notes.map(Redaction.text)
        cell.retriedInfrastructure = retriedInfrastructure.map(Redaction.text)
        cell.quarantine = quarantine?.redacted
        cell.checks = checks.map { check in
            var check = check
            check.sentence = Redaction.text(check.sentence)
            check.quarantine = check.quarantine?.redacted
            return check
        }
        cell.attempts = attempts.map { attempt in
            var attempt = attempt
            attempt.findings = attempt.findings.map(\.redacted)
            attempt.notes = attempt.notes.map(Redaction.text)
            attempt.unplayedFaults = attempt.unplayedFaults.map(Redaction.text)
            attempt.clientOutput = attempt.clientOutput?.map { Redaction.outputLine($0.utf8) }
            attempt.requests = attempt.requests.map { request in
                var request = request
                request.message = request.message.map(Redaction.text)
                return request
            }
            return attempt
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
        for index in report.rows.indices {
            report.rows[index].detail = Redaction.text(rows[index].detail)
            report.rows[index].again = rows[index].again.map(Redaction.text)
        }
        return report
    }
}
