import LinkModel
import LinuxSupport

/// Computes when a timer must fire so that the thread is awake in time, as waking up takes some time.
///
/// The timer is set earlier by the time that waking up has taken lately, and the thread polls for the rest. The time
/// for polling is limited, so that only links on which little is due have it.
struct WakeUp {
    /// How many nanoseconds earlier the timer is set; grows at once with late wake-ups, and shrinks slowly.
    private var lead: Int64 = 60_000
    /// The nanoseconds for which the thread may still poll.
    private var allowance: Int64 = Self.mostAllowance
    private var last: Int64

    /// The most time by which the timer is set earlier: 150 µs.
    static let mostLead = Duration.nanoseconds(lead.upperBound)
    private static let lead: ClosedRange<Int64> = 15_000...150_000
    private static let mostAllowance: Int64 = 2_000_000
    /// The thread may poll for one part in this number of all time: 2 %.
    private static let share: Int64 = 50

    init(now: Instant) { last = now.nanoseconds }

    /// The time for which to set the timer; nil if the thread should not sleep before `deadline`.
    mutating func moment(for deadline: Instant, now: Instant) -> Instant? {
        let passed = now.nanoseconds - last
        last = now.nanoseconds
        allowance = min(Self.mostAllowance, allowance + passed / Self.share)
        let left = deadline.nanoseconds - now.nanoseconds
        guard allowance > lead else { return left <= 0 ? nil : deadline }
        guard left <= lead else { return Instant(nanoseconds: deadline.nanoseconds - lead) }
        return nil
    }

    /// Notes that the thread polled from `start` to `end`.
    mutating func stayAwake(from start: Instant, to end: Instant) {
        allowance -= end.nanoseconds - start.nanoseconds
    }

    /// Notes that a timer was set for `moment`, and that the thread was awake at `now`.
    mutating func noteWakeUp(_ moment: Instant, now: Instant) {
        let late = now.nanoseconds - moment.nanoseconds
        lead = min(max(lead - lead / 64, late + late / 4), Self.lead.upperBound)
        lead = max(lead, Self.lead.lowerBound)
    }
}

extension Instant {
    /// CLOCK_MONOTONIC, read now.
    static func monotonic() -> Instant { Instant(nanoseconds: MonotonicClock.now) }
}
