internal import LinkModel
internal import NIOCore

/// Passes one direction of one connection through the toxics of its proxy, in the order in which they were added.
///
/// It is pure, but for its owner's timer: bytes and times go in, and outputs come out. Only a toxic of that kind drops
/// bytes; to add, change or remove toxics neither drops nor repeats any.
final class ToxicPipe {
    private var stations: [ToxicStation] = []
    private var outputs = CircularBuffer<ToxicOutput>()
    private var hasEnd = false
    /// Whether the end has come out; nothing more follows.
    private(set) var isOver = false
    /// The part of ``heldBytes`` that its owner has already counted in ``EngineCommons/heldBytes``.
    var countedBytes = 0
    /// Whether its owner is taking outputs from it, to prevent recursion.
    var isRunning = false
    var timer: Scheduled<Void>?

    /// The most bytes of a piece, as in Toxiproxy's reads: 32 KiB.
    static let pieceBytes = 32 * 1024
    /// The pieces, and the bytes with and without a latency toxic, that may wait before reading stops.
    private static let mostPieces = 1024
    private static let mostBytes = 4 * 1024 * 1024
    private static let fewBytes = 64 * 1024

    /// The bytes that wait in its toxics.
    var heldBytes: Int { stations.reduce(0) { $0 + $1.heldBytes } }

    /// Whether it has no toxics and no outputs, so that bytes may bypass it.
    var isIdle: Bool { stations.isEmpty && outputs.isEmpty && !hasEnd }

    /// Whether one of its toxics drops all bytes.
    var swallows: Bool { stations.contains(where: \.swallows) }

    /// Whether reading must stop for now; `isScarce`: whether all pipes together hold too much.
    func isFull(isScarce: Bool) -> Bool {
        let isBuffer = !isScarce && stations.contains(where: \.isBuffer)
        return heldBytes >= (isBuffer ? Self.mostBytes : Self.fewBytes)
            || stations.reduce(0) { $0 + $1.pieces.count } >= Self.mostPieces
    }

    /// Takes bytes that were read.
    func take(_ bytes: ByteBuffer, at now: Instant) {
        guard !isOver, !hasEnd else { return }
        var bytes = bytes
        while bytes.readableBytes > 0 {
            guard let slice = bytes.readSlice(length: min(bytes.readableBytes, Self.pieceBytes)) else { return }
            // A small piece is copied, so that it keeps no large buffer alive.
            var piece = slice
            if slice.readableBytes * 2 < slice.storageCapacity { piece = ByteBuffer(bytes: slice.readableBytesView) }
            give(.piece(ToxicPiece(bytes: piece, came: now, arrived: now)), to: 0, at: now)
        }
    }

    /// Takes the end of the sender's stream.
    func end(at now: Instant) {
        guard !isOver, !hasEnd else { return }
        hasEnd = true
        give(.end, to: 0, at: now)
    }

    /// Replaces its toxics by those that its proxy now has in this direction.
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

    /// The next output that is due at `now`; nil if there is none.
    func next(at now: Instant) -> ToxicOutput? {
        if outputs.isEmpty { advance(to: now) }
        guard let output = outputs.popFirst() else { return nil }
        switch output {
        case .piece: break
        case .end, .close, .reset:
            isOver = true
            stations = []
            outputs.removeAll()
        }
        return output
    }

    /// When the next output or step from one toxic to another is due; nil if none is.
    func deadline() -> Instant? {
        if !outputs.isEmpty { return Instant(nanoseconds: 0) }
        return stations.indices.compactMap { stations[$0].deadline() }.min()
    }

    private func advance(to now: Instant) {
        var index = 0
        while index < stations.count {
            while let (output, at) = stations[index].next(at: now) {
                switch output {
                case .piece, .end: give(output, to: index + 1, at: at)
                case .close: close(from: index, to: index + 1, at: at)
                case .reset:
                    outputs.append(.reset)
                    return
                }
            }
            index += 1
        }
    }

    /// A toxic has closed the stream: bytes that passed it go on through the toxics from `next` on, and then a close.
    private func close(from index: Int, to next: Int, at now: Instant) {
        closes = true
        hasEnd = true
        give(.end, to: next, at: now)
        // Bytes that wait before it never pass.
        for earlier in 0..<index { stations[earlier].close() }
    }

    private var closes = false

    private func remove(_ index: Int, at now: Instant) {
        var station = stations.remove(at: index)
        let (pieces, end) = station.leave()
        for piece in pieces { give(.piece(piece), to: index, at: now) }
        switch end {
        case .close: close(from: index, to: index, at: now)
        case .end: give(.end, to: index, at: now)
        case .reset: outputs.append(.reset)
        case .piece, nil: break
        }
    }

    private func give(_ output: ToxicOutput, to index: Int, at now: Instant) {
        guard index < stations.count else {
            if case .end = output, closes { outputs.append(.close) } else { outputs.append(output) }
            return
        }
        switch output {
        case .piece(let piece): stations[index].take(piece, at: now)
        case .end, .close, .reset: stations[index].end(at: now)
        }
    }
}
