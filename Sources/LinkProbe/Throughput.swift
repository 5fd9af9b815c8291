/// The throughput of one direction of a link while it was loaded.
///
/// Rates are of payload: bytes that one program sent and another one read, without headers of packets.
package struct Throughput: Sendable, Equatable {
    /// The rate of the steady part, in bits per second; `nil` if no window was long enough, so the rate is unverified.
    ///
    /// For each arrival, this considers the shortest window of ``ProbeLoad/shortestWindow`` and
    /// ``ProbeLoad/fewestArrivals`` from it, unless the window opens with a burst of bytes that were held up before.
    /// The rate is the median of the windows that reach nine tenths of the fastest: slow start and stalls are left out.
    /// With ``ProbeLoad/isEven``, only even windows count: those of 500 ms first, then shorter ones down to the
    /// shortest allowed.
    package var rate: Double?
    /// ``rate`` on the wire, headers included, by ``ProbePacket``.
    package var wireRate: Double?
    /// The uncertainty of ``rate``, as a share of it.
    ///
    /// The time of an arrival is known to 2 ms, so the window may be 2 ms longer or shorter.
    package var uncertainty: Double?
    /// The length of the median window; `nil` if there is none.
    package var window: Duration?
    /// The number of arrivals in the median window; if there is none, the number of all arrivals.
    package var arrivals: Int
    /// The rate from the first arrival to the last, slow start and stalls included, in bits per second on the wire.
    ///
    /// `nil` if there were fewer than two.
    package var meanWireRate: Double?
    /// The whole payload that arrived, in bytes.
    package var bytes: Int
    /// The time from the first arrival to the last.
    package var duration: Duration
    /// The reason why there is no rate; `nil` if there is one.
    package var unverified: String?

    /// The precision of an arrival's time: 2 ms.
    package static let timing = Duration.milliseconds(2)

    /// The throughput of a log; `load` is `nil` if there was none.
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

    /// The throughput of samples, such as those of a run without a probe.
    ///
    /// - Parameters:
    ///   - samples: times in nanoseconds of CLOCK_MONOTONIC, in order, each with all payload bytes that had arrived.
    ///   - load: the windows that count; its bytes are ignored.
    ///   - packet: the sizes of packets.
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
