/// What one direction of a link carried while it was loaded.
///
/// Rates are of payload: bytes that a program sent and another one read, headers of packets left out.
package struct Throughput: Sendable, Equatable {
    /// The rate of the steady part, in bits per second; `nil` where no window was long enough: the rate is unverified.
    ///
    /// From each arrival on, the shortest window of ``ProbeLoad/shortestWindow`` and ``ProbeLoad/fewestArrivals`` is looked
    /// at, unless it opens with a burst of what was held up before. This is the median of those that reach nine tenths of
    /// the fastest: slow start and stalls are left out. Where the load says so, only even windows are looked at, the
    /// longest that there are, down to the shortest that is allowed.
    package var rate: Double?
    /// ``rate`` as it is on the wire, by ``ProbePacket``.
    package var wireRate: Double?
    /// How far off ``rate`` may be, as a share of it: an arrival is known to 2 ms, and a window is that much longer or
    /// shorter.
    package var uncertainty: Double?
    /// How long the median window was.
    package var window: Duration?
    /// How many arrivals it held; where there is no window, how many there were in all.
    package var arrivals: Int
    /// The rate from the first arrival to the last, slow start and stalls included, in bits per second on the wire.
    ///
    /// `nil` where there was but one.
    package var meanWireRate: Double?
    /// Payload that arrived in all, in bytes.
    package var bytes: Int
    /// From the first arrival to the last.
    package var duration: Duration
    /// Why there is no rate; `nil` where there is one.
    package var unverified: String?

    /// How well the time of an arrival is known.
    package static let timing = Duration.milliseconds(2)

    /// What a log shows; `load` is `nil` where there was none.
    init(_ log: ArrivalLog, _ load: ProbeLoad?) {
        let steady = load.flatMap { Self.steady(log, $0) }
        let whole = log.whole
        rate = steady?.rate
        wireRate = steady?.wireRate
        uncertainty = steady.map { Double(Self.timing.wholeNanoseconds) / Double($0.nanoseconds) }
        window = steady.map { .nanoseconds($0.nanoseconds) }
        arrivals = steady?.arrivals ?? log.arrivals.count
        meanWireRate = whole?.wireRate
        bytes = log.bytes
        duration = .nanoseconds(whole?.nanoseconds ?? 0)
        unverified = steady == nil ? Self.reason(log, load, duration) : nil
    }

    /// What the arrivals of a run show by themselves.
    ///
    /// - Parameters:
    ///   - samples: CLOCK_MONOTONIC nanoseconds, and all payload bytes that had arrived by then, in order.
    ///   - load: which windows count; its bytes are not looked at.
    ///   - packet: how large packets are.
    package init(samples: some Sequence<(at: Int64, total: Int64)>, load: ProbeLoad, packet: ProbePacket) {
        var log = ArrivalLog(packet: packet)
        var seen: Int64 = 0
        for sample in samples where sample.total > seen {
            log.note(Int(sample.total - seen), at: sample.at)
            seen = sample.total
        }
        self.init(log, load)
    }

    private static func steady(_ log: ArrivalLog, _ load: ProbeLoad) -> ArrivalLog.Window? {
        guard load.isEven else { return log.steady(shortest: load.shortestWindow, fewest: load.fewestArrivals) }
        var length = Duration.milliseconds(500)
        while true {
            let window = log.steady(
                shortest: max(length, load.shortestWindow), fewest: load.fewestArrivals, isEven: true)
            if window != nil || length <= load.shortestWindow { return window }
            length /= 2
        }
    }

    private static func reason(_ log: ArrivalLog, _ load: ProbeLoad?, _ duration: Duration) -> String {
        guard let load else { return "no load was sent" }
        let found = "\(log.bytes) bytes in \(log.arrivals.count) arrivals over \(duration.inSeconds)"
        let needed = "\(load.fewestArrivals) arrivals after the first over \(load.shortestWindow.inSeconds)"
        return load.isEven
            ? "\(found) came unevenly: a rate needs \(needed) without a pause"
            : "\(found) are too few or too uneven: a rate needs \(needed)"
    }
}
