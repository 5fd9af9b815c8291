internal import LinkModel
internal import NIOCore

/// A piece of a stream on its way through toxics.
struct ToxicPiece {
    var bytes: ByteBuffer
    /// When it was read, and what latencies have added to that.
    var came: Instant
    /// When it came to the station that holds it.
    var arrived: Instant
    /// What a jitter is drawn by at that station.
    var roll = 0.0
}

/// One toxic on one direction of one connection: takes pieces in, and gives them out when it is their time.
struct ToxicStation {
    /// What a station does next.
    enum Act {
        /// Gives out so many bytes of its first piece.
        case pass(Int)
        /// Gives out its first piece, as if it had come at this moment.
        case delay
        /// Gives out the end of the stream.
        case end
        /// Closes the connection: what is behind is lost.
        case close
        case reset
    }

    /// What a station gives out.
    enum Output {
        case piece(ToxicPiece)
        case end
        case close
        case reset
    }

    private(set) var toxic: Toxic
    private let dice: ToxicDice
    /// What decides whether the toxic holds for this connection.
    ///
    /// The draw stays when the toxicity changes: with more of it, more connections are affected, and none is that was not less.
    private let draw: Double
    private let started: Instant
    private(set) var pieces = CircularBuffer<ToxicPiece>()
    private(set) var heldBytes = 0
    /// Bytes that came: where in the stream the next decision is.
    private var place: Int64 = 0
    /// Bytes that were given out.
    private var passed: Int64 = 0
    private var endedAt: Instant?
    /// It has given out the stream's end, or has closed it.
    private(set) var isOver = false
    /// Before this moment nothing more is given out: the rate and the slicer have it.
    private var freeAt: Instant
    /// When something was last given out.
    private var lastAt: Instant
    /// How the first piece is cut, and its next slice.
    private var slices: (cuts: Slices, next: Int?)?
    private var wasLost = false
    /// As many bytes as the toxic allows were given out.
    private var hasReachedLimit = false
    /// When the first bytes came, or the end, that have the connection reset.
    private var firstAt: Instant?

    init(_ toxic: Toxic, dice: ToxicDice, at now: Instant) {
        self.toxic = toxic
        self.dice = dice
        draw = dice.roll(.toxicity)
        started = now
        freeAt = now
        lastAt = now
    }

    private var isActive: Bool { draw < toxic.toxicity }

    /// Whether bytes are thrown away here, so that a receiver that has left would never be noticed.
    var swallows: Bool {
        if case .timeout = toxic.effect { isActive && !isOver } else { false }
    }

    /// Whether pieces wait here for long while others follow.
    var isBuffer: Bool {
        if case .latency = toxic.effect { isActive } else { false }
    }

    /// Takes the toxic's new attributes.
    mutating func update(_ toxic: Toxic, at now: Instant) {
        guard toxic != self.toxic else { return }
        self.toxic = toxic
        // What waits for a rate begins anew: the time that it has waited was another rate's.
        freeAt = now
        slices = nil
    }

    mutating func take(_ bytes: ByteBuffer, came: Instant, at now: Instant) {
        let start = place
        place += Int64(bytes.readableBytes)
        guard !isOver else { return }
        var piece = ToxicPiece(bytes: bytes, came: came, arrived: now)
        if isActive {
            switch toxic.effect {
            case .latency: piece.roll = dice.roll(.toxicLatency, at: start)
            case .timeout: return
            case .resetPeer:
                firstAt = firstAt ?? now
                return
            case .packetLoss(let lossRate, let correlation):
                wasLost = dice.roll(.toxicLoss, at: start) < clamped(lossRate) + (wasLost ? clamped(correlation) : 0)
                if wasLost { return }
            case .bandwidth, .slowClose, .slicer, .limitData, .profile: break
            }
        }
        heldBytes += bytes.readableBytes
        pieces.append(piece)
    }

    mutating func end(at now: Instant) {
        endedAt = endedAt ?? now
        if case .resetPeer = toxic.effect, isActive { firstAt = firstAt ?? now }
    }

    /// When something is next given out; nil where nothing is before something else happens.
    mutating func deadline() -> Instant? { plan().map { max($0.at, lastAt) } }

    /// What is due at `now`, and when it was.
    mutating func next(at now: Instant) -> (output: Output, at: Instant)? {
        guard let (planned, act) = plan(), planned <= now else { return nil }
        let at = max(planned, lastAt)
        lastAt = at
        switch act {
        case .pass(let count):
            let piece = take(count)
            passed += Int64(count)
            freeAt = at
            if case .slicer(_, _, let delay) = toxic.effect { freeAt = at + .toxic(microseconds: delay) }
            if case .limitData(let bytes) = toxic.effect { hasReachedLimit = isActive && passed >= bytes }
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

    /// What is done next, and when.
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
            case .latency, .bandwidth, .slowClose, .slicer, .limitData, .packetLoss, .profile: break
            }
        }
        guard let piece = pieces.first else { return endedAt.map { ($0, .end) } }
        guard isActive else { return (piece.arrived, .pass(piece.bytes.readableBytes)) }
        return plan(for: piece)
    }

    /// What is done with the first piece, where the toxic holds.
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
            let left = bytes.subtractingReportingOverflow(passed)
            guard !left.overflow, left.partialValue > 0 else { return (piece.arrived, .close) }
            return (piece.arrived, .pass(min(count, Int(clamping: left.partialValue))))
        case .slowClose, .timeout, .resetPeer, .packetLoss, .profile: return (piece.arrived, .pass(count))
        }
    }

    /// Milliseconds of a rate that pass in one go.
    private static let tick: Int64 = 100

    /// Throws away what waits here: nothing more comes out.
    mutating func close() {
        pieces.removeAll()
        heldBytes = 0
        isOver = true
    }

    /// Takes the toxic away: everything that waits here, and how the stream goes on.
    mutating func leave() -> (pieces: [ToxicPiece], end: Output?) {
        let waiting = Array(pieces)
        let swallowed = swallows
        let hasEnd = endedAt != nil && !isOver
        close()
        // As in Toxiproxy, what has lost bytes cannot go on.
        return (waiting, swallowed ? .close : hasEnd ? .end : nil)
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
