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
