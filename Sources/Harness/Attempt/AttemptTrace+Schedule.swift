import LinkModel
import PackHost
import Redaction
import Scenarios

extension AttemptTrace {
    /// Everything that went wrong on purpose or by chance, as the list that has it happen again; nil where nobody kept it.
    ///
    /// Without secrets, as all that is written down.
    var schedule: FaultSchedule? {
        guard let record = crossed.record else { return nil }
        var lines = record.decisions.map { ($0.at.nanoseconds, FaultSchedule.Line.packet($0.fault)) }
        var omitted = record.omitted
        for event in host.events {
            guard case .fault(let text) = event.kind else { continue }
            if let fault = FaultSchedule.HostFaultLine(text: Redaction.text(text)) {
                lines.append((event.nanoseconds, .host(fault)))
            } else {
                omitted += 1
            }
        }
        lines += playedFaults.map { ($0.at, .link($0.fault.change)) }
        let sorted = lines.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        return FaultSchedule(
            seed: record.seed, profile: record.profile, omitted: omitted, lines: sorted.map(\.element.1))
    }

    /// Faults of a schedule that were played nowhere: no packet met them, or their moment never came.
    var unmetFaults: Int { (crossed.record?.unmet ?? 0) + unplayedFaults }
}
