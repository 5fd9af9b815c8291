import LinkModel
import Results
import SystemPackage

/// What a cell has come to, and what is written of it.
struct CellOutcome: Sendable {
    var result: CellResult
    var timeline: [TimelineEvent]
    /// What its attempts met, by the files for it.
    var schedules: [String: FaultSchedule]
    /// What was served; nil for a host of somebody else, and where it came to nothing.
    var content: PreparedContent?
    /// Where the packets of its attempts are, by their numbers.
    var captures: [Int: FilePath] = [:]
}
