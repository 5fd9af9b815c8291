import LinkModel
import Results

/// The outcome of an attempt.
struct AttemptOutcome: Sendable {
    /// Its samples and findings.
    var record: AttemptRecord
    /// Everything that was seen.
    var timeline: [TimelineEvent]
    /// What the host's connections had; nil where it could not be read.
    var congestionControl: String?
    /// Everything that went wrong, on purpose or by chance; nil if it was not kept.
    var schedule: FaultSchedule?
}
