import LinkModel
import Results
import Scenarios

extension ScheduleFacts {
    /// What is said of the schedule that an attempt has recorded.
    init(_ schedule: FaultSchedule, of context: CellContext, attempt: Int, unmet: Int) {
        let played = context.cell.schedule?.faults
        self.init(
            file: Self.path(cell: context.cell.id, attempt: attempt), lines: schedule.lines.count,
            hash: schedule.digest, firstTransmissionHash: schedule.firstTransmissionDrops.digest,
            omitted: schedule.omitted, playedHash: played?.digest, unmet: played == nil ? nil : unmet)
    }

    /// Where the schedule of an attempt is written, below the folder of results.
    static func path(cell: String, attempt: Int) -> String { "\(folder)/\(cell)-\(attempt).txt" }

    /// The folder of the schedules, in the results.
    static let folder = "schedules"
}
