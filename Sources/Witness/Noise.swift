/// How much a machine disturbed the programs that ran on it.
///
/// Unknown is `nil`, never 0.
package struct Noise: Sendable, Equatable {
    /// From this step on a clock was set, rather than slewed.
    package static let smallestStep = Duration.milliseconds(500)

    /// The largest delay of a thread that only wakes up every 5 ms: CLOCK_MONOTONIC minus its absolute deadline.
    ///
    /// `nil` if the thread could not be started.
    package var largestLateness: Duration?
    /// 99 of 100 wake-ups were at most this late, rounded up by at most a sixteenth; `nil` without wake-ups.
    package var p99Lateness: Duration?
    /// The number of wake-ups.
    ///
    /// A deadline that passed during a late wake-up counts as well.
    package var wakeUps: Int
    /// The share of the time in which a runnable task waited for a processor, 0 to 1: `some` of /proc/pressure/cpu.
    ///
    /// `nil` if the kernel does not account for it. See Documentation/accounting/psi.rst in the kernel's sources.
    package var pressure: Double?
    /// The share of all processors' time that a hypervisor gave to other machines, 0 to 1; see proc_stat(5).
    ///
    /// `nil` if unknown.
    package var steal: Double?
    /// The share of all processors' time in which they had nothing to do, 0 to 1; see proc_stat(5).
    ///
    /// `nil` if unknown.
    package var idle: Double?
    /// The time that runnable threads of this process waited for a processor, summed, as a share of the elapsed time.
    ///
    /// More than 1 if several waited at once; `nil` if unknown. Work that this process does for others is late by that.
    /// Unlike pressure, it grows with the amount of work.
    package var ownWait: Double?
    /// How long a runnable thread of the client waited for a processor at a time, as a lower bound; `nil` if unknown.
    ///
    /// The scheduler may give the client's session, or its container, less time than this process. No other measure
    /// shows that. The code that runs the client sets it; ``Witness`` leaves it `nil`.
    package var clientWait: Duration?
    /// How far CLOCK_REALTIME advanced beyond the time that passed; negative if it was set back.
    ///
    /// A fraction of a millisecond is the time between reading two clocks, or slewing by NTP.
    package var clockStep: Duration
    /// How long the machine was suspended: the time that CLOCK_BOOTTIME counts and CLOCK_MONOTONIC does not.
    package var suspended: Duration

    /// Whether the clock was set: a step of at least ``smallestStep``, in either direction.
    package var isClockStepped: Bool { clockStep >= Self.smallestStep || clockStep <= .zero - Self.smallestStep }
}

extension Noise {
    /// The noise between two readings, together with the lateness of a thread.
    init(from start: KernelReading, to end: KernelReading, lateness: LatenessHistogram) {
        let time = end.monotonic - start.monotonic
        let boot = end.bootTime - start.bootTime
        self.init(
            largestLateness: lateness.largest, p99Lateness: lateness.quantile(0.99), wakeUps: lateness.count,
            pressure: Self.share(start.waited, end.waited, of: time / 1000),
            steal: Self.share(\.stolen, start.processors, end.processors),
            idle: Self.share(\.idle, start.processors, end.processors),
            // A lower bound: the counts of threads that ended meanwhile are lost. Several may wait at once.
            ownWait: Self.share(start.ownWait, end.ownWait, of: time, most: .infinity),
            clockStep: .nanoseconds(end.realTime - start.realTime - boot),
            // The two clocks are not read at the same instant, so the difference can be negative.
            suspended: .nanoseconds(max(0, boot - time)))
    }

    private static func share(
        _ ticks: KeyPath<KernelReading.Processors, Int64>, _ start: KernelReading.Processors?,
        _ end: KernelReading.Processors?
    ) -> Double? {
        guard let start, let end else { return nil }
        return share(start[keyPath: ticks], end[keyPath: ticks], of: end.total - start.total)
    }

    private static func share(_ start: Int64?, _ end: Int64?, of whole: Int64, most: Double = 1) -> Double? {
        guard let start, let end, whole > 0 else { return nil }
        return min(most, max(0, Double(end - start) / Double(whole)))
    }
}
