import LinkModel

/// When to have a timer fire, so that the thread is there in time: a sleeping thread is late by what waking up takes.
///
/// The timer is set earlier by what that has taken lately, and the rest is waited for awake. Time spent so is rationed: it
/// is for links on which little is due.
struct WakeUp {
    /// How much earlier; forgets slowly how late the thread has been.
    private var lead: Int64 = 60_000
    /// Time that may still be waited for awake.
    private var allowance: Int64 = Self.mostAllowance
    private var last: Int64

    /// So much earlier at most.
    static let mostLead = Duration.nanoseconds(lead.upperBound)
    private static let lead: ClosedRange<Int64> = 15_000...150_000
    private static let mostAllowance: Int64 = 2_000_000
    /// One part in so many of all time.
    private static let share: Int64 = 50

    init(now: Instant) { last = now.nanoseconds }

    /// The moment to set a timer to; nil where it is better not to sleep before `deadline`.
    mutating func moment(for deadline: Instant, now: Instant) -> Instant? {
        let passed = now.nanoseconds - last
        last = now.nanoseconds
        allowance = min(Self.mostAllowance, allowance + passed / Self.share)
        let left = deadline.nanoseconds - now.nanoseconds
        guard allowance > lead else { return left <= 0 ? nil : deadline }
        guard left <= lead else { return Instant(nanoseconds: deadline.nanoseconds - lead) }
        return nil
    }

    /// Notes that the thread stays awake for a turn.
    mutating func stayAwake(from start: Instant, to end: Instant) {
        allowance -= end.nanoseconds - start.nanoseconds
    }

    /// Notes that a timer was set to `moment`, and the thread was there at `now`.
    mutating func noteWakeUp(_ moment: Instant, now: Instant) {
        let late = now.nanoseconds - moment.nanoseconds
        lead = min(max(lead - lead / 64, late + late / 4), Self.lead.upperBound)
        lead = max(lead, Self.lead.lowerBound)
    }
}
