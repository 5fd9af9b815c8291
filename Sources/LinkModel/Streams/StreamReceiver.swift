internal import DequeModule

/// The receiving half of a stream: what has arrived in order, and when it is acknowledged (RFC 9293, RFC 5681 §4.2).
struct StreamReceiver {
    /// All bytes before this one have arrived.
    private(set) var next: Int64 = 0
    private(set) var hasFinished = false
    /// When a delayed acknowledgement is sent at the latest; nil if none is delayed.
    private(set) var acknowledgementDeadline: Instant?
    private var arrivals: Int64 = 0
    private var unacknowledged = 0
    private var lastAcknowledged: Int64 = -1
    /// How many more packets are each acknowledged at once.
    private var quick: Int
    /// The current round trip: its start and its first byte; and the most bytes of any round trip so far.
    private var round = (start: Instant(nanoseconds: 0), first: Int64(0), most: Int64(0))
    private var repetition = 0
    /// Arrivals that no acknowledgement at the sender has covered yet, in order of arrival.
    private var log = Deque<(ordinal: Int64, offset: Int64, isFinish: Bool)>()

    init(parameters: TransportParameters) {
        quick = parameters.quickAcknowledgements
        round.most = Int64(parameters.initialWindow * parameters.segmentBytes(mtu: 1500))
    }

    /// The result of an arrival.
    struct Outcome {
        /// Bytes that are now in order, for the program.
        var delivered = 0
        var finished = false
        var acknowledgesNow = false
    }

    /// Takes a segment that has arrived; `sender` records which others have.
    mutating func arrive(
        at index: Int?, transmission: Int,
        offset: Int64,
        sender: inout StreamSender,
        now: Instant,
        parameters: TransportParameters
    ) -> Outcome {
        guard let index, sender.outstanding[index].arrival == 0 else {
            return Outcome(acknowledgesNow: true)
        }
        arrivals += 1
        unacknowledged += 1
        sender.markArrived(at: index, as: arrivals, transmission: transmission)
        let isFinish = sender.outstanding[index].isFinish
        log.append((arrivals, offset, isFinish))
        var outcome = Outcome()
        let isInOrder = offset == next
        if isInOrder { collect(from: index, sender: sender, into: &outcome) }
        widen(roundTrip: sender.estimator.smoothed, segmentBytes: sender.segmentBytes, at: now)
        outcome.acknowledgesNow = !isInOrder || isFinish || unacknowledged >= 2 || quick > 0
        if !outcome.acknowledgesNow, acknowledgementDeadline == nil {
            acknowledgementDeadline = now + parameters.delayedAcknowledgement
        }
        return outcome
    }

    /// Acknowledges packets at once while the window grows with what comes in a round trip.
    ///
    /// As Linux does (tcp_grow_window, tcp_rcv_space_adjust).
    private mutating func widen(roundTrip: Duration?, segmentBytes: Int, at now: Instant) {
        guard let roundTrip, round.start.duration(to: now) >= roundTrip else { return }
        let count = next - round.first
        if count > round.most {
            quick += Int(2 * (count - round.most)) / segmentBytes
            round.most = count
        }
        round.start = now
        round.first = next
    }

    private mutating func collect(from index: Int, sender: StreamSender, into outcome: inout Outcome) {
        var position = index
        while position < sender.outstanding.count {
            let segment = sender.outstanding[position]
            guard segment.arrival != 0, segment.bytes.lowerBound <= next else { break }
            outcome.delivered += Int(max(0, segment.bytes.upperBound - next))
            next = max(next, segment.bytes.upperBound)
            if segment.isFinish {
                outcome.finished = !hasFinished
                hasFinished = true
            }
            position += 1
        }
    }

    /// Sends an acknowledgement now: of all arrivals up to `ordinal`, for the `repetition`-th time.
    mutating func acknowledge() -> (ordinal: Int64, repetition: Int) {
        unacknowledged = 0
        quick = max(0, quick - 1)
        acknowledgementDeadline = nil
        repetition = lastAcknowledged == arrivals ? repetition + 1 : 1
        lastAcknowledged = arrivals
        return (arrivals, repetition)
    }

    /// Removes and returns the arrivals that an acknowledgement covers and no earlier one did.
    mutating func covered(by ordinal: Int64) -> [(offset: Int64, isFinish: Bool)] {
        var places: [(offset: Int64, isFinish: Bool)] = []
        while let first = log.first, first.ordinal <= ordinal {
            places.append((first.offset, first.isFinish))
            log.removeFirst()
        }
        return places
    }
}
