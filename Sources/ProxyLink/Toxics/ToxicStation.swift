internal import LinkModel
internal import NIOCore

/// One toxic on one direction of one connection: takes pieces, and passes each on when it is due.
struct ToxicStation {
    /// What a station does next.
    enum Act {
        /// Passes on this number of bytes of its first piece.
        case pass(Int)
        /// Passes on its first piece, as if it had been read now.
        case delay
        /// Passes on the end of the stream.
        case end
        /// Closes the connection; the bytes that follow are lost.
        case close
        case reset
    }

    private(set) var toxic: Toxic
    private let dice: ToxicDice
    /// A random number, from 0 to below 1; the toxic affects this connection if its toxicity is greater.
    ///
    /// The number stays when the toxicity changes. So a higher toxicity affects the same connections and more.
    private let draw: Double
    /// When it began to affect this connection with its present attributes; a timeout follows this time.
    private var started: Instant
    private(set) var pieces = CircularBuffer<ToxicPiece>()
    private(set) var heldBytes = 0
    /// The number of bytes taken so far: the place of the next decision in the stream.
    private var place: Int64 = 0
    /// The number of bytes passed on so far.
    private var passed: Int64 = 0
    /// Those of them that count towards the limit of `limit_data`: it counts only while it affects this connection.
    private var limited: Int64 = 0
    private var endedAt: Instant?
    /// Whether it has passed on the stream's end, or closed the stream.
    private(set) var isOver = false
    /// The earliest time of the next output, as set by the rate or the slicer.
    private var freeAt: Instant
    /// The time of the last output.
    private var lastAt: Instant
    /// The slices of the first piece, and the size of the next one.
    private var slices: (cuts: Slices, next: Int?)?
    private var wasLost = false
    /// Whether it has passed on as many bytes as the toxic allows.
    private var hasReachedLimit = false
    /// When the first bytes or the end arrived; a reset follows this time.
    private var firstAt: Instant?
    /// Whether it has dropped bytes of a stream that it ends later.
    private var hasSwallowed = false

    init(_ toxic: Toxic, dice: ToxicDice, at now: Instant) {
        self.toxic = toxic
        self.dice = dice
        draw = dice.roll(.toxicity)
        started = now
        freeAt = now
        lastAt = now
    }

    private var isActive: Bool { draw < toxic.toxicity }

    /// Whether it drops all bytes, so that no failed write would show that the receiver has left.
    var swallows: Bool {
        if case .timeout = toxic.effect { isActive && !isOver } else { false }
    }

    /// Whether it ends by a reset a stream that has lost bytes.
    private var resets: Bool { if case .resetPeer = toxic.effect { true } else { false } }

    /// Whether many pieces may wait here at once, as a latency delays them.
    var isBuffer: Bool {
        if case .latency = toxic.effect { isActive } else { false }
    }

    /// Takes the toxic's new attributes.
    mutating func update(_ toxic: Toxic, at now: Instant) {
        guard toxic != self.toxic else { return }
        if !isActive || toxic.effect != self.toxic.effect { started = now }
        self.toxic = toxic
        // Waiting for the rate starts again, as the time so far was that of the old rate.
        freeAt = now
        slices = nil
    }

    mutating func take(_ piece: ToxicPiece, at now: Instant) {
        let start = place
        place += Int64(piece.bytes.readableBytes)
        guard !isOver else { return }
        var piece = ToxicPiece(bytes: piece.bytes, came: piece.came, arrived: now)
        if isActive {
            switch toxic.effect {
            case .latency: piece.roll = dice.roll(.toxicLatency, at: start)
            case .timeout, .resetPeer:
                hasSwallowed = true
                firstAt = firstAt ?? now
                return
            case .packetLoss(let lossRate, let correlation):
                wasLost = dice.roll(.toxicLoss, at: start) < clamped(lossRate) + (wasLost ? clamped(correlation) : 0)
                if wasLost { return }
            case .noop, .bandwidth, .slowClose, .slicer, .limitData, .profile: break
            }
        }
        heldBytes += piece.bytes.readableBytes
        pieces.append(piece)
    }

    mutating func end(at now: Instant) {
        endedAt = endedAt ?? now
        if resets, isActive { firstAt = firstAt ?? now }
    }

    /// The time of the next output; nil if none comes without further input.
    mutating func deadline() -> Instant? { plan().map { max($0.at, lastAt) } }

    /// The next output that is due at `now`, and the time at which it was due.
    mutating func next(at now: Instant) -> (output: ToxicOutput, at: Instant)? {
        guard let (planned, act) = plan(), planned <= now else { return nil }
        let at = max(planned, lastAt)
        lastAt = at
        switch act {
        case .pass(let count):
            let piece = take(count)
            passed += Int64(count)
            freeAt = at
            if case .slicer(_, _, let delay) = toxic.effect { freeAt = at + .toxic(microseconds: delay) }
            if isActive, case .limitData(let bytes) = toxic.effect {
                limited += Int64(count)
                hasReachedLimit = limited >= bytes
            }
            return (.piece(piece), at)
        case .delay:
            var piece = take(.max)
            piece.came = max(piece.came, at)
            return (.piece(piece), at)
        case .end:
            isOver = true
            return (.end, at)
        case .close:
            close()
            return (.close, at)
        case .reset:
            close()
            return (.reset, at)
        }
    }

    /// The next step, and its time.
    private mutating func plan() -> (at: Instant, act: Act)? {
        guard !isOver else { return nil }
        if isActive {
            switch toxic.effect {
            case .timeout(let timeout):
                if let endedAt { return (endedAt, .close) }
                return timeout > 0 ? (started + .toxic(milliseconds: timeout), .close) : nil
            case .resetPeer(let timeout): return firstAt.map { ($0 + .toxic(milliseconds: timeout), .reset) }
            case .limitData where hasReachedLimit: return (lastAt, .close)
            case .slowClose(let delay) where pieces.isEmpty:
                return endedAt.map { ($0 + .toxic(milliseconds: delay), .end) }
            case .noop, .latency, .bandwidth, .slowClose, .slicer, .limitData, .packetLoss, .profile: break
            }
        }
        // A stream that has lost bytes cannot go on, even if the toxic no longer affects it.
        if hasSwallowed, !isActive { return (lastAt, resets ? .reset : .close) }
        guard let piece = pieces.first else { return endedAt.map { ($0, .end) } }
        guard isActive else { return (piece.arrived, .pass(piece.bytes.readableBytes)) }
        return plan(for: piece)
    }

    /// The next step for the first piece, if the toxic affects this connection.
    private mutating func plan(for piece: ToxicPiece) -> (at: Instant, act: Act)? {
        let count = piece.bytes.readableBytes
        switch toxic.effect {
        case .latency(let latency, let jitter):
            let milliseconds = Double(latency) + Double(max(0, jitter)) * (2 * piece.roll - 1)
            let delay = Duration.toxic(microseconds: Int64(min(max(milliseconds * 1000, 0), 1e15)))
            return (max(piece.arrived, piece.came + delay), .delay)
        case .bandwidth(let rate):
            guard rate > 0 else { return nil }
            let most = rate.multipliedReportingOverflow(by: Self.tick)
            let share = most.overflow ? count : min(count, Int(clamping: most.partialValue))
            return (max(freeAt, piece.arrived) + .nanoseconds(Int64(share) * 1_000_000 / rate), .pass(share))
        case .slicer(let averageSize, let variation, _):
            if slices == nil {
                let (dice, place) = (dice, passed)
                var cuts = Slices(of: count, averageSize: averageSize, variation: variation) {
                    dice.roll(.toxicSlice, at: place, nth: $0)
                }
                slices = (cuts, cuts.next())
                slices?.cuts = cuts
            }
            return (max(freeAt, piece.arrived), .pass(min(count, slices?.next ?? count)))
        case .limitData(let bytes):
            let left = bytes.subtractingReportingOverflow(limited)
            guard !left.overflow, left.partialValue > 0 else { return (piece.arrived, .close) }
            return (piece.arrived, .pass(min(count, Int(clamping: left.partialValue))))
        case .noop, .slowClose, .timeout, .resetPeer, .packetLoss, .profile: return (piece.arrived, .pass(count))
        }
    }

    /// The bytes of this time, in milliseconds, pass at once under a rate.
    private static let tick: Int64 = 100

    /// Drops the bytes that wait here; nothing more comes out.
    mutating func close() {
        pieces.removeAll()
        heldBytes = 0
        isOver = true
    }

    /// Removes the toxic: returns the pieces that wait here, and the end or close that follows them.
    mutating func leave() -> (pieces: [ToxicPiece], end: ToxicOutput?) {
        let waiting = Array(pieces)
        // As in Toxiproxy, a stream that has lost bytes cannot go on.
        let cut: ToxicOutput? = swallows || hasSwallowed ? (resets ? .reset : .close) : nil
        let end = isOver ? nil : cut ?? (endedAt == nil ? nil : .end)
        close()
        return (waiting, end)
    }

    private mutating func take(_ count: Int) -> ToxicPiece {
        var piece = pieces[pieces.startIndex]
        let taken = min(count, piece.bytes.readableBytes)
        if taken == piece.bytes.readableBytes {
            pieces.removeFirst()
            slices = nil
        } else if let bytes = piece.bytes.readSlice(length: taken) {
            pieces[pieces.startIndex] = piece
            piece.bytes = bytes
        }
        heldBytes -= taken
        if var cut = slices {
            cut.next = cut.cuts.next()
            slices = cut
        }
        return piece
    }

    private func clamped(_ share: Double) -> Double { min(max(share, 0), 1) }
}
