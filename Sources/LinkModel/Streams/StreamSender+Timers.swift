internal import DequeModule

/// The timers of a sender.
extension StreamSender {
    /// Sets the timer again after more bytes in order have been acknowledged.
    mutating func arm(from now: Instant) {
        guard !outstanding.isEmpty else {
            deadline = nil
            return
        }
        isProbeNext = probes
        deadline = now + (isProbeNext ? min(probeTimeout, timeout) : timeout)
    }

    /// Sets the timer after new bytes were sent: for a probe some time later, but not after the timeout.
    mutating func armAfterSending(at now: Instant) {
        if probes {
            let last = (outstanding.first?.sentAt ?? now) + timeout
            isProbeNext = true
            deadline = min(now + probeTimeout, max(last, now))
        } else if outstanding.count == 1 || isProbeNext || deadline == nil {
            armForRetransmission(from: now)
        }
    }

    mutating func armForRetransmission(from now: Instant) {
        isProbeNext = false
        deadline = now + timeout
    }

    /// Handles the timer: returns the segment to send as a probe; nil after a timeout, or if no probe is sent.
    mutating func timerFired(at now: Instant) -> Segment? {
        guard isProbeNext else {
            timedOut(at: now)
            return nil
        }
        guard probe == nil else {
            armForRetransmission(from: now)
            return nil
        }
        let segment: Segment
        if isReceiving, let count = nextCount {
            segment = sendNew(count, at: now)
            probe = Probe(end: next, isRetransmission: false)
        } else if let last = outstanding.indices.last {
            inFlight -= outstanding[last].isLost ? 0 : outstanding[last].count
            segment = retransmit(at: last, now: now)
            probe = Probe(end: next, isRetransmission: true)
        } else {
            return nil
        }
        armForRetransmission(from: now)
        return segment
    }

    /// Starts over with the oldest segment (RFC 6298 §5.4, RFC 5681 §3.1; Linux: tcp_enter_loss).
    private mutating func timedOut(at now: Instant) {
        let isNew = phase == .open
        let reduces = isNew || acknowledged >= phaseEnd || phase == .loss && timeouts == 0
        if reduces { windowBeforeTimeout = window }
        let roundTrip = newest?.roundTrip ?? .zero
        for index in outstanding.indices {
            let segment = outstanding[index]
            guard !segment.isAcknowledged, !segment.isLost else { continue }
            // What was sent a moment ago may still arrive.
            guard index == 0 || segment.sentAt + roundTrip <= now else { continue }
            setLost(true, at: index)
            inFlight -= segment.count
        }
        looksForPrematureTimeout = isNew || timeouts > 0
        window.timeout(inFlight: inFlight, reduces: reduces)
        phase = .loss
        phaseEnd = next
        probe = nil
        prefersNew = false
        reorderDeadline = nil
        timeouts += 1
        backoff += 1
        armForRetransmission(from: now)
    }

    /// Whether probes are sent: only while nothing is missing.
    private var probes: Bool { phase == .open && heldSegments == 0 && probe == nil }

    private var timeout: Duration {
        min(estimator.timeout(parameters) * (1 << min(backoff, 12)), parameters.maximumTimeout)
    }

    private var probeTimeout: Duration { estimator.probeTimeout(segmentsInFlight: outstanding.count, parameters) }
}
