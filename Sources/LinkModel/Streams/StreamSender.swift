internal import DequeModule

/// The sending half of a stream: decides what is sent when, and what counts as lost, as Linux does (RFC 5681, RFC 6675,
/// RFC 6937, RFC 8985, RFC 5682).
///
/// It does no I/O; ``StreamLink`` sends its packets and passes it the acknowledgements.
struct StreamSender {
    /// The state of the sender.
    enum Phase: Sendable {
        case open
        /// Repairs losses that selective acknowledgements report.
        case recovery
        /// Starts over after a retransmission timeout.
        case loss
    }

    /// The packet that was sent last among those that are acknowledged (RFC 8985 §5).
    struct Newest {
        var ordinal: Int64
        var roundTrip: Duration
    }

    /// A probe for a lost tail that is under way (RFC 8985 §7).
    struct Probe {
        var end: Int64
        var isRetransmission: Bool
    }

    let segmentBytes: Int
    let parameters: TransportParameters
    /// Sent and not yet acknowledged, in order of their bytes.
    var outstanding = Deque<Segment>()
    var window: CongestionWindow
    var estimator = RoundTripEstimator()
    /// All bytes that the program has written.
    private(set) var offered: Int64 = 0
    private(set) var next: Int64 = 0
    var deadline: Instant?
    var reorderDeadline: Instant?
    /// Whether the receiver takes bytes.
    var isReceiving = true

    var phase = Phase.open
    /// The end of the bytes that the phase is about.
    var phaseEnd: Int64 = 0
    var inFlight = 0
    /// Segments that are acknowledged selectively: one before them is missing.
    var heldSegments = 0
    /// Segments that count as lost and have not been sent again.
    var lostSegments = 0
    var newest: Newest?
    /// In a recovery: bytes that have arrived and that have been sent since it began, and the window before it.
    var reduction = (delivered: 0, sent: 0, window: 0.0)
    var probe: Probe?
    /// Timeouts in a row without progress.
    var timeouts = 0
    var backoff = 0
    /// Whether it is still unknown if the last timeout was premature (RFC 5682).
    var looksForPrematureTimeout = false
    /// Whether new bytes are sent before lost ones, to find out if the timeout was premature.
    var prefersNew = false
    /// The window before a timeout that may turn out to have been premature.
    var windowBeforeTimeout: CongestionWindow?
    /// Whether ``deadline`` is that of a probe.
    var isProbeNext = false

    private var wantsFinish = false
    private var sentFinish = false
    private var ordinal: Int64 = 0
    private var lastSent: Instant?
    /// Whether the window limited the sender, and the most bytes in flight; counted until `end` is acknowledged.
    private var usage = (isLimited: false, most: 0, end: Int64(0))

    init(segmentBytes: Int, parameters: TransportParameters) {
        self.segmentBytes = segmentBytes
        self.parameters = parameters
        window = CongestionWindow(segments: parameters.initialWindow, segmentBytes: segmentBytes)
    }

    /// Bytes that the program has written and that have not been sent yet.
    var backlog: Int { Int(offered - next) }
    /// All bytes before this one have been acknowledged.
    var acknowledged: Int64 { outstanding.first?.bytes.lowerBound ?? next }

    mutating func write(_ count: Int) { offered += Int64(count) }

    mutating func finish() { wantsFinish = true }

    /// Takes the round trip of the handshake as a first sample.
    mutating func handshake(took duration: Duration) { estimator.sample(duration) }

    /// The next segment to send now; nil if the window does not allow one, or there is nothing to send.
    mutating func nextSegment(at now: Instant) -> Segment? {
        if prefersNew, next == phaseEnd, nextCount == nil || !isReceiving {
            prefersNew = false
            looksForPrematureTimeout = false
        }
        if lostSegments > 0, phase != .open, !prefersNew, let index = outstanding.firstIndex(where: { $0.isLost }) {
            guard hasWindow(for: outstanding[index].count) else { return nil }
            if index == 0 { armForRetransmission(from: now) }
            return retransmit(at: index, now: now)
        }
        if let count = nextCount {
            restartAfterIdle(at: now)
            if hasWindow(for: count) { return sendNew(count, at: now) }
        }
        noteUsage()
        return nil
    }

    /// The length of the next segment of new bytes, 0 for a FIN; nil if there is none.
    var nextCount: Int? {
        guard isReceiving || outstanding.isEmpty && backlog == 0 else { return nil }
        let count = min(segmentBytes, backlog)
        return count > 0 || wantsFinish && !sentFinish ? count : nil
    }

    /// Sends new bytes, whatever the window says.
    mutating func sendNew(_ count: Int, at now: Instant) -> Segment {
        ordinal += 1
        let segment = Segment(
            bytes: next..<next + Int64(count), isFinish: count == 0, sentAt: now, ordinal: ordinal, transmissions: 1)
        next += Int64(count)
        if count == 0 { sentFinish = true }
        inFlight += count
        if phase == .recovery { reduction.sent += count }
        lastSent = now
        outstanding.append(segment)
        armAfterSending(at: now)
        return segment
    }

    mutating func retransmit(at index: Int, now: Instant) -> Segment {
        ordinal += 1
        setLost(false, at: index)
        outstanding[index].transmissions += 1
        outstanding[index].ordinal = ordinal
        outstanding[index].sentAt = now
        inFlight += outstanding[index].count
        if phase == .recovery { reduction.sent += outstanding[index].count }
        return outstanding[index]
    }

    mutating func setLost(_ isLost: Bool, at index: Int) {
        guard outstanding[index].isLost != isLost else { return }
        outstanding[index].isLost = isLost
        lostSegments += isLost ? 1 : -1
    }

    /// Whether the window was in use, so that it may grow (Linux: tcp_is_cwnd_limited).
    var usesWindow: Bool {
        usage.isLimited || window.isSlowStart && window.bytes < 2 * Double(usage.most)
    }

    private mutating func noteUsage() {
        let isLimited = Double(inFlight + segmentBytes) > window.bytes
        guard acknowledged >= usage.end || isLimited || (!usage.isLimited && inFlight > usage.most) else { return }
        usage = (isLimited, inFlight, next)
    }

    private mutating func restartAfterIdle(at now: Instant) {
        guard outstanding.isEmpty, let lastSent else { return }
        let timeout = estimator.timeout(parameters)
        let idle = lastSent.duration(to: now)
        if idle > timeout { window.restart(idle: idle, timeout: timeout, segments: parameters.initialWindow) }
        self.lastSent = now
    }

    private func hasWindow(for count: Int) -> Bool {
        if inFlight == 0 { return true }
        return Double(inFlight + count) <= window.bytes && inFlight + count <= parameters.receiveWindow
    }
}

/// A range of a stream that has been sent and not yet been acknowledged.
struct Segment {
    var bytes: Range<Int64>
    var isFinish: Bool
    var sentAt: Instant
    /// Counted over all transmissions of the sender.
    var ordinal: Int64
    var transmissions: Int
    /// Its place in the order of arrival, from 1; 0: it has not arrived yet.
    var arrival: Int64 = 0
    /// The transmission that arrived, from 1; 0: none yet.
    var arrivedTransmission = 0
    var isAcknowledged = false
    var isLost = false

    var count: Int { Int(bytes.upperBound - bytes.lowerBound) }
    /// Whether the first transmission arrived although it was sent again, as the acknowledgement's timestamp shows (RFC
    /// 3522).
    var arrivedBeforeRetransmission: Bool { arrivedTransmission == 1 && transmissions > 1 }
}
