import LinkModel
import Results

/// The outcome of an attempt.
struct AttemptOutcome: Sendable {
    /// Its samples and findings.
    var record: AttemptRecord
    /// All recorded events.
    var timeline: [TimelineEvent]
    /// The congestion control of the host's connections; nil if it could not be read.
    var congestionControl: String?
    /// All faults of the attempt, scripted or random; nil if they were not kept.
    var schedule: FaultSchedule?
}
