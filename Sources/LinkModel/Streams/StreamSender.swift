internal import DequeModule

/// A stretch of a stream that has been sent and not yet been acknowledged.
struct Segment {
    var bytes: Range<Int64>
    var isFinish: Bool
    var sentAt: Instant
    /// Counted over all transmissions of the sender.
    var ordinal: Int64
    var transmissions: Int
    /// In which order it arrived, from 1; 0: not yet.
    var arrival: Int64 = 0
    /// Which transmission it was that arrived.
    var arrivedTransmission = 0
    var isAcknowledged = false
    var isLost = false

    var count: Int { Int(bytes.upperBound - bytes.lowerBound) }
    /// What its acknowledgement's timestamp tells (RFC 3522): it was taken for lost, and the first one arrived after all.
    var arrivedBeforeRetransmission: Bool { arrivedTransmission == 1 && (transmissions > 1 || isLost) }
}

/// The sending half of a stream: what may be sent when, and what is taken for lost (RFC 5681, RFC 6675, RFC 8985).
///
/// A value without I/O; ``StreamLink`` puts its packets on the link and brings back what is acknowledged.
struct StreamSender {
    let segmentBytes: Int
    let parameters: TransportParameters
    /// Sent and not yet acknowledged, in order of their bytes.
    private(set) var outstanding = Deque<Segment>()
    private(set) var window: CongestionWindow
    private(set) var estimator = RoundTripEstimator()
    /// All bytes that the program has written.
    private(set) var offered: Int64 = 0
    private(set) var next: Int64 = 0
    private(set) var deadline: Instant?
    private(set) var reorderDeadline: Instant?
    /// Whether the receiver takes bytes.
    var isReceiving = true

    private var wantsFinish = false
    private var sentFinish = false
    private var inFlight = 0
    /// Taken for lost and not yet sent again.
    private var lostSegments = 0
    private var ordinal: Int64 = 0
    private var newestAcknowledged: (ordinal: Int64, sentAt: Instant)?
    private var recoversUntil: Int64?
    private var backoff = 0
    private var isAfterTimeout = false
    /// The window before a timeout that may turn out to have been premature.
    private var windowBeforeTimeout: CongestionWindow?
    private var hasProbed = false
    private var isWindowLimited = false

    init(segmentBytes: Int, parameters: TransportParameters) {
        self.segmentBytes = segmentBytes
        self.parameters = parameters
        window = CongestionWindow(segments: parameters.initialWindow, segmentBytes: segmentBytes)
    }

    /// Bytes that the program has written and that have not been sent once.
    var backlog: Int { Int(offered - next) }
    var isIdle: Bool { outstanding.isEmpty && backlog == 0 && wantsFinish == sentFinish }

    mutating func write(_ count: Int) { offered += Int64(count) }

    mutating func finish() { wantsFinish = true }

    /// Takes the round trip of the handshake as a first sample.
    mutating func handshake(took duration: Duration) { estimator.sample(duration) }

    /// The next segment to put on the link now; nil while the window, or want of bytes, holds the sender back.
    mutating func nextSegment(at now: Instant) -> Segment? {
        if lostSegments > 0, recoversUntil != nil, let index = outstanding.firstIndex(where: { $0.isLost }) {
            guard hasWindow(for: outstanding[index].count) else { return nil }
            return retransmit(at: index, now: now)
        }
        guard isReceiving || outstanding.isEmpty && backlog == 0 else { return nil }
        let count = min(segmentBytes, backlog)
        let isFinish = wantsFinish && !sentFinish && count == backlog && count == 0
        guard count > 0 || isFinish else { return nil }
        guard hasWindow(for: count) else {
            isWindowLimited = true
            return nil
        }
        ordinal += 1
        let segment = Segment(
            bytes: next..<next + Int64(count),
            isFinish: isFinish,
            sentAt: now,
            ordinal: ordinal,
            transmissions: 1
        )
        next += Int64(count)
        if isFinish { sentFinish = true }
        inFlight += count
        outstanding.append(segment)
        if outstanding.count == 1 { arm(from: now) }
        return segment
    }

    private mutating func setLost(_ isLost: Bool, at index: Int) {
        guard outstanding[index].isLost != isLost else { return }
        outstanding[index].isLost = isLost
        lostSegments += isLost ? 1 : -1
    }

    private func hasWindow(for count: Int) -> Bool {
        if inFlight == 0 { return true }
        return Double(inFlight + count) <= window.bytes && inFlight + count <= parameters.receiveWindow
    }

    private mutating func retransmit(at index: Int, now: Instant) -> Segment {
        ordinal += 1
        setLost(false, at: index)
        outstanding[index].transmissions += 1
        outstanding[index].ordinal = ordinal
        outstanding[index].sentAt = now
        inFlight += outstanding[index].count
        return outstanding[index]
    }
}

extension StreamSender {
    /// Where in `outstanding` the segment stands that starts at `offset`; nil when it has been acknowledged.
    func index(of offset: Int64, isFinish: Bool) -> Int? {
        var low = 0
        var high = outstanding.count
        while low < high {
            let middle = (low + high) / 2
            let segment = outstanding[middle]
            let isBefore =
                segment.bytes.lowerBound < offset
                || (segment.bytes.lowerBound == offset && !segment.isFinish && isFinish)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        guard low < outstanding.count, outstanding[low].bytes.lowerBound == offset,
            outstanding[low].isFinish == isFinish
        else { return nil }
        return low
    }

    /// Notes that a segment has reached the receiver; the sender does not act on it before it is acknowledged.
    mutating func markArrived(at index: Int, as arrival: Int64, transmission: Int) {
        outstanding[index].arrival = arrival
        outstanding[index].arrivedTransmission = transmission
    }

    /// Takes an acknowledgement of the arrivals `covered`, in the order in which they arrived.
    mutating func acknowledge(_ covered: [(offset: Int64, isFinish: Bool)], at now: Instant) {
        var count = 0
        var sample: Duration?
        var wasPremature = false
        for place in covered {
            guard let index = index(of: place.offset, isFinish: place.isFinish), !outstanding[index].isAcknowledged
            else { continue }
            let segment = outstanding[index]
            outstanding[index].isAcknowledged = true
            if isAfterTimeout, segment.arrivedBeforeRetransmission { wasPremature = true }
            if segment.isLost { setLost(false, at: index) } else { inFlight -= segment.count }
            count += segment.count
            if segment.transmissions == 1 { sample = segment.sentAt.duration(to: now) }
            if segment.ordinal > newestAcknowledged?.ordinal ?? 0 {
                newestAcknowledged = (segment.ordinal, segment.sentAt)
            }
        }
        guard !covered.isEmpty else { return }
        while outstanding.first?.isAcknowledged == true { outstanding.removeFirst() }
        measure(sample)
        if wasPremature { undoTimeout() }
        leaveRecoveryIfDone()
        if isWindowLimited, recoversUntil == nil || isAfterTimeout, let roundTrip = estimator.smoothed {
            window.grow(acknowledged: count, now: now, roundTrip: roundTrip)
        }
        isWindowLimited = false
        backoff = 0
        hasProbed = false
        findLosses(at: now)
        arm(from: now)
    }

    /// What was sent before the timeout has arrived after all: nothing was lost (RFC 4015).
    private mutating func undoTimeout() {
        for index in outstanding.indices where outstanding[index].isLost {
            setLost(false, at: index)
            inFlight += outstanding[index].count
        }
        if let windowBeforeTimeout { window = windowBeforeTimeout }
        windowBeforeTimeout = nil
        recoversUntil = nil
        isAfterTimeout = false
    }

    private mutating func measure(_ sample: Duration?) {
        guard let sample else { return }
        estimator.sample(sample)
        guard recoversUntil == nil, let shortest = estimator.shortest else { return }
        window.observe(
            roundTrip: sample,
            shortest: shortest,
            acknowledged: outstanding.first?.bytes.lowerBound ?? next,
            next: next
        )
    }

    private mutating func leaveRecoveryIfDone() {
        guard let end = recoversUntil, (outstanding.first?.bytes.lowerBound ?? next) >= end else { return }
        recoversUntil = nil
        isAfterTimeout = false
    }

    /// Takes for lost what was sent three transmissions, or a reordering window, before something acknowledged.
    mutating func findLosses(at now: Instant) {
        reorderDeadline = nil
        guard let newest = newestAcknowledged,
            outstanding.first.map({ $0.ordinal < newest.ordinal }) == true || recoversUntil != nil
        else { return }
        let allowance = (estimator.shortest ?? .zero) / 4
        var found = false
        for index in outstanding.indices {
            let segment = outstanding[index]
            guard !segment.isAcknowledged, !segment.isLost, segment.ordinal < newest.ordinal else { continue }
            let due = segment.sentAt + (estimator.smoothed ?? .zero) + allowance
            if newest.ordinal - segment.ordinal >= 3 || due <= now {
                setLost(true, at: index)
                inFlight -= segment.count
                found = true
            } else {
                reorderDeadline = min(reorderDeadline ?? due, due)
            }
        }
        guard found, recoversUntil == nil else { return }
        recoversUntil = next
        window.loss()
    }

    /// Sets the timer for the oldest outstanding segment: a probe first, then the retransmission timeout.
    private mutating func arm(from now: Instant) {
        guard !outstanding.isEmpty else {
            deadline = nil
            return
        }
        let probes = !hasProbed && recoversUntil == nil
        let wait =
            probes
            ? estimator.probeTimeout(segmentsInFlight: outstanding.count, parameters)
            : min(estimator.timeout(parameters) * (1 << min(backoff, 12)), parameters.maximumTimeout)
        deadline = now + wait
    }

    /// The timer has run out: returns the segment to send again as a probe, or nil when all are taken for lost.
    mutating func timerFired(at now: Instant) -> Segment? {
        if !hasProbed, recoversUntil == nil, let last = outstanding.indices.last {
            hasProbed = true
            inFlight -= outstanding[last].isLost ? 0 : outstanding[last].count
            let probe = retransmit(at: last, now: now)
            arm(from: now)
            return probe
        }
        for index in outstanding.indices where !outstanding[index].isAcknowledged { setLost(true, at: index) }
        inFlight = 0
        if !isAfterTimeout { windowBeforeTimeout = window }
        window.timeout(isFirst: backoff == 0 && !isAfterTimeout)
        isAfterTimeout = true
        recoversUntil = next
        backoff += 1
        arm(from: now)
        return nil
    }
}
