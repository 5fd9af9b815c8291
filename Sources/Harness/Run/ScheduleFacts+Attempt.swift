import LinkModel
import Results
import Scenarios

extension ScheduleFacts {
    /// What is said of the schedule that an attempt has recorded.
    init(_ schedule: FaultSchedule, of context: CellContext, attempt: Int, unmet: Int) {
        let played = context.cell.schedule?.faults
        self.init(
            file: CellFiles.schedule(of: context.cell.id, attempt: attempt), lines: schedule.lines.count,
            hash: schedule.digest, firstTransmissionHash: schedule.firstTransmissionDrops.digest,
            omitted: schedule.omitted, playedHash: played?.digest, unmet: played == nil ? nil : unmet)
    }
}
