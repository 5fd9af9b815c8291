/// How much a machine disturbed what ran on it.
///
/// Unknown is `nil`, never 0.
package struct Noise: Sendable, Equatable {
    /// Beyond this a clock was set, rather than slewed.
    package static let smallestStep = Duration.milliseconds(500)

    /// The longest that a thread was late which only wakes up every 5 ms; CLOCK_MONOTONIC against absolute deadlines.
    ///
    /// `nil` where there was no thread to be had.
    package var largestLateness: Duration?
    /// 99 of 100 wake-ups were at most this late, rounded up by at most a sixteenth; `nil` likewise.
    package var p99Lateness: Duration?
    /// How many wake-ups there were.
    ///
    /// A deadline that was slept through counts as well.
    package var wakeUps: Int
    /// The share of the time in which something runnable waited for a processor, 0 to 1: `some` of /proc/pressure/cpu.
    ///
    /// `nil` where the kernel does not account for it. See Documentation/accounting/psi.rst in the kernel's sources.
    package var pressure: Double?
    /// The share of all processors' time that a hypervisor took for others, 0 to 1; see proc_stat(5).
    ///
    /// `nil` where unknown.
    package var steal: Double?
    /// The share of all processors' time in which they had nothing to do, 0 to 1; see proc_stat(5).
    ///
    /// `nil` where unknown.
    package var idle: Double?
    /// How long threads of this process could run and waited for a processor, in all, over the time: more than 1 where
    /// several waited at once; `nil` where unknown.
    ///
    /// What this process does for others is late by that: unlike pressure, it grows with what there is to do.
    package var ownWait: Double?
    /// How long a thread of the client could run and waited for a processor at a time, the least that it was; `nil` where
    /// unknown.
    ///
    /// The scheduler may give the client's session, or its container, less than this process: then nothing else shows it.
    /// The code that ran the client says it: ``Witness`` leaves it `nil`.
    package var clientWait: Duration?
    /// How far CLOCK_REALTIME went beyond the time that passed; negative when it was set back.
    ///
    /// A fraction of a millisecond is the time between reading two clocks, or slewing by NTP.
    package var clockStep: Duration
    /// How long the machine was suspended: what CLOCK_BOOTTIME counts and CLOCK_MONOTONIC does not.
    package var suspended: Duration

    /// Whether somebody set the clock: a step of at least ``smallestStep``.
    package var isClockStepped: Bool { clockStep >= Self.smallestStep || clockStep <= .zero - Self.smallestStep }

    /// Noise of those measures.
    package init(
        largestLateness: Duration?, p99Lateness: Duration?, wakeUps: Int, pressure: Double?, steal: Double?,
        idle: Double? = nil, ownWait: Double? = nil, clockStep: Duration, suspended: Duration
    ) {
        self.largestLateness = largestLateness
        self.p99Lateness = p99Lateness
        self.wakeUps = wakeUps
        self.pressure = pressure
        self.steal = steal
        self.idle = idle
        self.ownWait = ownWait
        self.clockStep = clockStep
        self.suspended = suspended
    }
}
