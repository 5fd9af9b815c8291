internal import DequeModule

/// How a sender handles acknowledgements.
extension StreamSender {
    /// What one acknowledgement reports.
    struct News {
        /// Bytes that it reports as arrived.
        var delivered = 0
        /// Whether it acknowledges more in order than before.
        var advances = false
        /// Whether it reports bytes behind a gap.
        var isSelective = false
        /// Whether it reports bytes that were sent once, before the phase began.
        var hasOriginal = false
        /// Whether the first bytes that it acknowledges in order had arrived before they were sent again.
        var isPremature = false
        /// Whether it reports a packet that was sent after all packets that were known to have arrived.
        var isNewest = false
        /// Whether it shows a loss.
        var hasNewLoss = false
        /// Whether a probe's bytes arrived only by the probe.
        var mendedByProbe = false
        /// Round trips: of the first and the last segment that was sent once, and of one that was sent again.
        var first: Duration?
        var last: Duration?
        var repeated: Duration?
    }

    /// Handles an acknowledgement of the arrivals `covered`, in the order in which they arrived.
    mutating func acknowledge(_ covered: [(offset: Int64, isFinish: Bool)], at now: Instant) {
        guard !covered.isEmpty else { return }
        var news = News()
        for place in covered { note(place, in: &news, at: now) }
        news.advances = outstanding.first?.isAcknowledged == true
        news.isPremature = news.advances && outstanding.first?.arrivedBeforeRetransmission == true
        while outstanding.first?.isAcknowledged == true {
            outstanding.removeFirst()
            heldSegments -= 1
        }
        measure(news, at: now)
        if news.advances {
            timeouts = 0
            backoff = 0
        }
        prefersNew = false
        finishProbe(news)
        settle(&news, at: now)
        if phase == .recovery {
            reduceInProportion(news)
        } else if news.advances, usesWindow {
            window.grow(acknowledged: news.delivered, now: now)
        }
        if news.advances { arm(from: now) }
    }

    private mutating func note(_ place: (offset: Int64, isFinish: Bool), in news: inout News, at now: Instant) {
        guard let index = index(of: place.offset, isFinish: place.isFinish), !outstanding[index].isAcknowledged
        else { return }
        let segment = outstanding[index]
        outstanding[index].isAcknowledged = true
        heldSegments += 1
        if segment.isLost { setLost(false, at: index) } else { inFlight -= segment.count }
        news.delivered += segment.count
        if index > 0, !outstanding[index - 1].isAcknowledged { news.isSelective = true }
        let roundTrip = segment.sentAt.duration(to: now)
        if segment.transmissions == 1 {
            news.first = news.first ?? roundTrip
            news.last = roundTrip
            if segment.bytes.upperBound <= phaseEnd { news.hasOriginal = true }
        } else if segment.arrivedTransmission == segment.transmissions {
            news.repeated = roundTrip
        }
        if let probe, probe.isRetransmission, segment.bytes.upperBound == probe.end {
            news.mendedByProbe = segment.arrivedTransmission > 1
        }
        // An acknowledgement that comes too soon may be for the first transmission (RFC 8985 §6.2).
        if segment.transmissions > 1, roundTrip < estimator.shortest ?? .zero { return }
        guard segment.ordinal > newest?.ordinal ?? 0 else { return }
        newest = Newest(ordinal: segment.ordinal, roundTrip: roundTrip)
        news.isNewest = true
    }

    /// Takes samples of the round trip; timestamps give them for retransmissions too (RFC 7323 §4).
    private mutating func measure(_ news: News, at now: Instant) {
        if let sample = news.first ?? (news.advances ? news.repeated : nil) { estimator.sample(sample) }
        guard let sample = news.last, phase != .recovery else { return }
        window.observe(roundTrip: sample, acknowledged: acknowledged, next: next, now: now)
    }

    /// Ends a probe that is acknowledged; if it repaired a loss, the window shrinks as after a loss (RFC 8985 §7.4).
    private mutating func finishProbe(_ news: News) {
        guard let probe, acknowledged >= probe.end else { return }
        self.probe = nil
        guard news.mendedByProbe, phase == .open else { return }
        window.reduce()
        window.endReduction()
    }

    /// Goes from phase to phase (Linux: tcp_fastretrans_alert).
    private mutating func settle(_ news: inout News, at now: Instant) {
        switch phase {
        case .open:
            break
        case .recovery:
            if acknowledged >= phaseEnd {
                phase = .open
                window.endReduction()
            }
        case .loss:
            leaveLossIfDone(news)
        }
        let before = lostSegments
        let lostAgain = news.isNewest ? findLosses(at: now) : false
        news.hasNewLoss = lostSegments > before
        if lostSegments > 0, phase == .open || phase == .loss && lostAgain { enterRecovery() }
    }

    /// After a timeout, finds out whether it was premature, and whether all losses are repaired (RFC 5682 §3.1).
    private mutating func leaveLossIfDone(_ news: News) {
        if news.advances, news.isPremature || looksForPrematureTimeout && news.hasOriginal {
            undoTimeout()
            return
        }
        let isDone = acknowledged >= phaseEnd
        if looksForPrematureTimeout {
            if next > phaseEnd {
                if news.isSelective { looksForPrematureTimeout = false }
            } else if news.advances, !isDone {
                phaseEnd = next
                prefersNew = true
                return
            }
        }
        if isDone { phase = .open }
    }

    /// Undoes a premature timeout: what was sent before it has arrived, so nothing was lost (RFC 4015).
    private mutating func undoTimeout() {
        for index in outstanding.indices where outstanding[index].isLost {
            setLost(false, at: index)
            inFlight += outstanding[index].count
        }
        if let windowBeforeTimeout { window = windowBeforeTimeout }
        windowBeforeTimeout = nil
        looksForPrematureTimeout = false
        phase = .open
    }
}
