/// What one direction of a link carried while it was loaded.
///
/// Rates are of payload: bytes that a program sent and another one read, headers of packets left out.
package struct Throughput: Sendable, Equatable {
    /// The rate of the steady part, in bits per second; `nil` where no window was long enough: the rate is unverified.
    ///
    /// From each arrival on, the shortest window of ``ProbePlan/shortestWindow`` and ``ProbePlan/fewestArrivals`` is looked
    /// at, unless it opens with a burst of what was held up before. This is the median of those that reach nine tenths of
    /// the fastest: slow start and stalls are left out. With loss it is what one connection reached, which is mostly less
    /// than what the link could carry, and up to a fifth more just after a retransmission.
    package var rate: Double?
    /// ``rate`` as it is on the wire, by ``ProbePlan/wireOverhead``.
    package var wireRate: Double?
    /// How long the median window was.
    package var window: Duration?
    /// How many arrivals it held; where there is no window, how many there were in all.
    package var arrivals: Int
    /// The rate from the first arrival to the last, slow start and stalls included, in bits per second.
    ///
    /// `nil` where there was but one.
    package var meanRate: Double?
    /// Payload that arrived in all, in bytes.
    package var bytes: Int
    /// From the first arrival to the last.
    package var duration: Duration
    /// Why there is no rate; `nil` where there is one.
    package var unverified: String?

    init(_ log: ArrivalLog, plan: ProbePlan) {
        let steady = log.steady(shortest: plan.shortestWindow, fewest: plan.fewestArrivals)
        let whole = log.whole
        rate = steady?.rate
        wireRate = steady.map { $0.rate * plan.wireOverhead }
        window = steady.map { .nanoseconds($0.nanoseconds) }
        arrivals = steady?.arrivals ?? log.arrivals.count
        meanRate = whole?.rate
        bytes = log.bytes
        duration = .nanoseconds(whole?.nanoseconds ?? 0)
        unverified =
            steady == nil
            ? "\(log.bytes) bytes in \(log.arrivals.count) arrivals over \(duration.inSeconds) are too few or too uneven: a rate needs "
                + "\(plan.fewestArrivals) arrivals after the first over \(plan.shortestWindow.inSeconds)"
            : nil
    }
}
