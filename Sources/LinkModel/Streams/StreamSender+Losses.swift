internal import DequeModule

/// How a sender finds what is lost, and mends it.
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

    /// Takes for lost what was sent before something that has arrived, once three have, or after a while (RFC 8985 §6.2).
    ///
    /// Answers whether something was lost that had been sent again.
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

    /// The time is over that packets may be behind others.
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

    /// Lets as much be sent as its share of what has arrived, so that a window shrinks over a round trip (RFC 6937).
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
