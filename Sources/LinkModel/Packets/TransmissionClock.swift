/// The transmitter of one direction: computes when a packet has left, from a rate or a trace.
///
/// Packets that follow each other without a pause take exactly their bits divided by the rate: the rounding error is
/// carried over.
struct TransmissionClock {
    private var rate: BitRate?
    private var trace: TraceClock?
    private var followsTrace = true
    /// A trace that replaces the rate and the link's own trace for a while; nil: none does.
    private var live: TraceClock?
    /// The remainder of the last packet's time, less than a nanosecond, in bits times 10⁹.
    private var carry: Int64 = 0
    private var idleFrom: Instant

    init(rate: BitRate?, trace: DeliveryTrace?, start: Instant) {
        self.rate = rate
        self.trace = trace.map { TraceClock(LiveTrace(trace: $0, since: start)) }
        idleFrom = start
    }

    /// Sets the rate for packets that start from now on; a trace that is followed overrides it.
    ///
    /// A `live` trace that is already in use continues where it is.
    mutating func set(rate: BitRate?, followsTrace: Bool, live: LiveTrace? = nil) {
        if rate != self.rate { carry = 0 }
        self.rate = rate
        self.followsTrace = followsTrace
        if self.live?.source != live { self.live = live.map(TraceClock.init) }
    }

    /// Lets no packet start before `moment`: the transmitter was held until then.
    mutating func hold(until moment: Instant) {
        idleFrom = max(idleFrom, moment)
    }

    /// Transmits a packet that is ready at `ready`, and returns when its last bit has left.
    mutating func finish(bytes: Int, ready: Instant) -> Instant {
        let start = max(ready, idleFrom)
        if live != nil {
            idleFrom = live?.finish(bytes: bytes, ready: start) ?? start
        } else if followsTrace, trace != nil {
            idleFrom = trace?.finish(bytes: bytes, ready: start) ?? start
        } else if let rate {
            let bits = Int64(bytes) * 8 * 1_000_000_000 + (start == idleFrom ? carry : 0)
            let (time, rest) = bits.quotientAndRemainder(dividingBy: rate.bitsPerSecond)
            carry = rest
            idleFrom = Instant(nanoseconds: start.nanoseconds + time)
        } else {
            idleFrom = start
        }
        return idleFrom
    }
}

/// Plays a trace: each of its moments can carry 1500 bytes, of one packet or of several.
private struct TraceClock {
    let source: LiveTrace
    /// Which opportunity is current, counted over all periods.
    private var ordinal: Int64 = -1
    private var left = 0

    init(_ source: LiveTrace) {
        self.source = source
    }

    private var trace: DeliveryTrace { source.trace }
    private var origin: Instant { source.since }

    mutating func finish(bytes: Int, ready: Instant) -> Instant {
        if ordinal < 0 || time(of: ordinal) < ready {
            ordinal = firstOrdinal(at: ready)
            left = DeliveryTrace.opportunityBytes
        }
        var missing = bytes
        while missing > left {
            missing -= left
            ordinal += 1
            left = DeliveryTrace.opportunityBytes
        }
        left -= missing
        return max(ready, time(of: ordinal))
    }

    private func time(of ordinal: Int64) -> Instant {
        let (period, index) = ordinal.quotientAndRemainder(dividingBy: Int64(trace.milliseconds.count))
        let milliseconds = period * Int64(trace.period) + Int64(trace.milliseconds[Int(index)])
        return Instant(nanoseconds: origin.nanoseconds + milliseconds * 1_000_000)
    }

    /// The first opportunity at or after a moment.
    private func firstOrdinal(at moment: Instant) -> Int64 {
        let elapsed = max(0, moment.nanoseconds - origin.nanoseconds)
        let milliseconds = (elapsed + 999_999) / 1_000_000
        let (period, phase) = milliseconds.quotientAndRemainder(dividingBy: Int64(trace.period))
        var low = 0
        var high = trace.milliseconds.count
        while low < high {
            let middle = (low + high) / 2
            if Int64(trace.milliseconds[middle]) < phase { low = middle + 1 } else { high = middle }
        }
        return period * Int64(trace.milliseconds.count) + Int64(low)
    }
}

/// A trace that replaces a rate from a moment on.
package struct LiveTrace: Hashable, Sendable {
    package var trace: DeliveryTrace
    /// When its first millisecond began.
    package var since: Instant

    package init(trace: DeliveryTrace, since: Instant) {
        self.trace = trace
        self.since = since
    }
}
