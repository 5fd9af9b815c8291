internal import DequeModule

/// How a sender detects losses and repairs them.
extension StreamSender {
    /// The index in ``outstanding`` of the segment that starts at `offset`; nil if it has been acknowledged.
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

    /// Records that a segment has reached the receiver; the sender does not act on it before it is acknowledged.
    mutating func markArrived(at index: Int, as arrival: Int64, transmission: Int) {
        outstanding[index].arrival = arrival
        outstanding[index].arrivedTransmission = transmission
    }

    /// Marks segments as lost that were sent before one that has arrived (RFC 8985 §6.2).
    ///
    /// Waits a quarter of a round trip for them, unless three later ones have arrived or a loss is being repaired.
    /// Returns whether a retransmission was lost.
    mutating func findLosses(at now: Instant) -> Bool {
        reorderDeadline = nil
        guard let newest, outstanding.first.map({ $0.ordinal < newest.ordinal }) == true || phase != .open else {
            return false
        }
        let isSure = phase != .open || heldSegments >= 3
        let allowance = isSure ? .zero : (estimator.shortest ?? .zero) / 4
        var lostAgain = false
        for index in outstanding.indices {
            let segment = outstanding[index]
            guard !segment.isAcknowledged, !segment.isLost, segment.ordinal < newest.ordinal else { continue }
            let due = segment.sentAt + newest.roundTrip + allowance
            if due <= now {
                setLost(true, at: index)
                inFlight -= segment.count
                lostAgain = lostAgain || segment.transmissions > 1
            } else {
                reorderDeadline = max(reorderDeadline ?? due, due + parameters.timerSlack)
            }
        }
        return lostAgain
    }

    /// Handles the end of the time for which packets may be reordered.
    mutating func reorderingTimerFired(at now: Instant) {
        _ = findLosses(at: now)
        guard lostSegments > 0, phase != .recovery else { return }
        enterRecovery()
        reduceInProportion(News(delivered: segmentBytes))
    }

    mutating func enterRecovery() {
        phase = .recovery
        phaseEnd = next
        probe = nil
        looksForPrematureTimeout = false
        reduction = (delivered: 0, sent: 0, window: window.bytes)
        window.reduce()
    }

    /// Allows sending in proportion to what has arrived, so that a window shrinks over a round trip (RFC 6937).
    mutating func reduceInProportion(_ news: News) {
        reduction.delivered += news.delivered
        let room = Int(window.threshold) - inFlight
        var count: Int
        if room < 0 {
            let share = window.threshold * Double(reduction.delivered) / max(1, reduction.window)
            count = Int(share.rounded(.up)) - reduction.sent
        } else {
            count = max(reduction.delivered - reduction.sent, news.delivered)
            if news.advances, !news.hasNewLoss { count += segmentBytes }
            count = min(room, count)
        }
        if reduction.sent == 0 { count = max(count, segmentBytes) }
        window.recover(bytes: inFlight + max(0, count))
    }
}
