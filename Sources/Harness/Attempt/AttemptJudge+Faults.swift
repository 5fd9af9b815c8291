import LinkModel
import PackFormat
import Results

extension AttemptJudge {
    /// Says which faults never met their moment.
    func noteUnplayed(in record: inout AttemptRecord) {
        let unplayed = trace.unplayed(context.cell.hostFaults, content: context.content)
        // Who does what is expected need not have met one.
        let early = isAsExpected(record) ? [] : trace.earlyOutages
        record.playedFaults =
            context.cell.hostFaults.count - unplayed.count + trace.playedFaults.count - early.count
        record.unplayedFaults = text(unplayed, early: early)
        if let text = record.unplayedFaults {
            // A client that failed before is judged by how it failed.
            if record.requests.allSatisfy({ $0.result == .available }) {
                record.findings.append(Finding(.faultNotPlayed, text))
            } else {
                record.notes.append(text)
            }
        }
        // Another client, or the same on another day, need not meet all that a list says.
        if let unmet = record.schedule?.unmet, unmet > 0 {
            record.notes.append("\(unmet) of the schedule's faults met nothing")
        }
    }

    private func isAsExpected(_ record: AttemptRecord) -> Bool {
        context.cell.expectations.requests.allSatisfy { expected in
            record.requests.allSatisfy { outcome in
                (expected.request ?? outcome.id) != outcome.id || expected.expectation.isMet(by: outcome)
            }
        }
    }

    /// What to say of the scenario's own faults that never met their moment; nil where all did.
    private func text(_ unplayed: [HostFault], early: [OfflineKind]) -> String? {
        var parts: [String] = []
        if trace.unplayedFaults > 0 {
            parts.append("\(trace.unplayedFaults) of the link's faults never met their moment")
        }
        parts += unplayed.map { "the host's fault '\($0.text)' took part in no answer" }
        parts += early.map { "the outage '\($0.rawValue)' was over before the client asked for anything" }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
