internal import LinkModel
internal import NIOCore

/// One direction of one connection, through the toxics of its proxy in the order in which they were added.
///
/// Pure but for its owner's timer: bytes and moments go in, and what passes comes out. Nothing is lost or comes twice but by a toxic that
/// says so, whatever is added, changed or removed meanwhile.
final class ToxicPipe {
    /// What comes out.
    enum Output {
        case bytes(ByteBuffer)
        /// The sender has finished.
        case end
        /// A toxic closes the connection.
        case close
        /// A toxic resets the connection.
        case reset
    }

    private var stations: [ToxicStation] = []
    private var outputs = CircularBuffer<Output>()
    private var hasEnd = false
    /// Its end has come out.
    private(set) var isOver = false
    /// What its owner has counted of ``heldBytes`` elsewhere.
    var countedBytes = 0
    /// Its owner is at work on it.
    var isRunning = false
    var timer: Scheduled<Void>?

    /// As Toxiproxy reads: what it does to a piece, it does to so many bytes at most.
    static let pieceBytes = 32 * 1024
    /// Pieces that wait in front of a latency, and bytes, before reading stops.
    private static let mostPieces = 1024
    private static let mostBytes = 4 * 1024 * 1024
    private static let fewBytes = 64 * 1024

    /// Bytes that wait here.
    var heldBytes: Int { stations.reduce(0) { $0 + $1.heldBytes } }

    /// Whether bytes may pass by it.
    var isIdle: Bool { stations.isEmpty && outputs.isEmpty && !hasEnd }

    /// Whether what is read is thrown away.
    var swallows: Bool { stations.contains(where: \.swallows) }

    /// Whether nothing more is to be read for now; `isScarce`: all pipes together hold much.
    func isFull(isScarce: Bool) -> Bool {
        let isBuffer = !isScarce && stations.contains(where: \.isBuffer)
        return heldBytes >= (isBuffer ? Self.mostBytes : Self.fewBytes)
            || stations.reduce(0) { $0 + $1.pieces.count } >= Self.mostPieces
    }

    /// Takes in what was read.
    func take(_ bytes: ByteBuffer, at now: Instant) {
        guard !isOver, !hasEnd else { return }
        var bytes = bytes
        while bytes.readableBytes > 0 {
            guard let slice = bytes.readSlice(length: min(bytes.readableBytes, Self.pieceBytes)) else { return }
            // A small piece keeps no large buffer alive.
            var piece = slice
            if slice.readableBytes * 2 < slice.storageCapacity { piece = ByteBuffer(bytes: slice.readableBytesView) }
            give(.bytes(piece), came: now, to: 0, at: now)
        }
    }

    /// Takes in that the sender has finished.
    func end(at now: Instant) {
        guard !isOver, !hasEnd else { return }
        hasEnd = true
        give(.end, came: now, to: 0, at: now)
    }

    /// Lets these be its toxics from now on, as its proxy has them in this direction.
    func apply(_ toxics: [Toxic], dice: (Toxic) -> ToxicDice, at now: Instant) {
        guard !isOver else { return }
        var index = 0
        while index < stations.count {
            if let toxic = toxics.first(where: { $0.name == stations[index].toxic.name }) {
                stations[index].update(toxic, at: now)
                index += 1
            } else {
                remove(index, at: now)
            }
        }
        let known = Set(stations.map(\.toxic.name))
        for toxic in toxics where !known.contains(toxic.name) {
            stations.append(ToxicStation(toxic, dice: dice(toxic), at: now))
        }
    }

    /// What comes out at `now`; nil where nothing more does.
    func next(at now: Instant) -> Output? {
        if outputs.isEmpty { advance(to: now) }
        guard let output = outputs.popFirst() else { return nil }
        switch output {
        case .bytes: break
        case .end, .close, .reset:
            isOver = true
            stations = []
            outputs.removeAll()
        }
        return output
    }

    /// When something next comes out, or goes from one toxic to the next.
    func deadline() -> Instant? {
        if !outputs.isEmpty { return Instant(nanoseconds: 0) }
        return stations.indices.compactMap { stations[$0].deadline() }.min()
    }

    private func advance(to now: Instant) {
        var index = 0
        while index < stations.count {
            while let (output, at) = stations[index].next(at: now) {
                switch output {
                case .piece(let piece): give(.bytes(piece.bytes), came: piece.came, to: index + 1, at: at)
                case .end: give(.end, came: at, to: index + 1, at: at)
                case .close: close(from: index, at: at)
                case .reset:
                    outputs.append(.reset)
                    return
                }
            }
            index += 1
        }
    }

    /// A toxic has closed the stream behind it: what passed before goes on through the others, and ends by a close.
    private func close(from index: Int, at now: Instant) {
        closes = true
        hasEnd = true
        give(.end, came: now, to: index + 1, at: now)
        // What is in front of it never passes.
        for earlier in 0..<index { stations[earlier].close() }
    }

    private var closes = false

    private func remove(_ index: Int, at now: Instant) {
        var station = stations.remove(at: index)
        let (pieces, end) = station.leave()
        for piece in pieces { give(.bytes(piece.bytes), came: piece.came, to: index, at: now) }
        switch end {
        case .close:
            closes = true
            hasEnd = true
            for earlier in 0..<index { stations[earlier].close() }
            give(.end, came: now, to: index, at: now)
        case .end: give(.end, came: now, to: index, at: now)
        case .piece, .reset, nil: break
        }
    }

    private func give(_ output: Output, came: Instant, to index: Int, at now: Instant) {
        guard index < stations.count else {
            if case .end = output, closes { outputs.append(.close) } else { outputs.append(output) }
            return
        }
        switch output {
        case .bytes(let bytes): stations[index].take(bytes, came: came, at: now)
        case .end, .close, .reset: stations[index].end(at: now)
        }
    }
}
