/// A decision that had an effect on a packet of a stream: one line of a fault schedule.
package struct Decision: Sendable, Hashable {
    package var at: Instant
    /// The name of the stream, see ``ConnectionKey``.
    package var key: String
    package var direction: Direction
    package var kind: PacketKind
    /// The offsets in the stream: for a drop, the slot whose first byte was lost, or the packet's own bytes if it holds
    /// no such byte; for a packet without data, its number.
    package var bytes: Range<Int64>
    /// 1 for the first time that these bytes were sent.
    package var transmission: Int
    package var effect: PacketEffect

    package init(
        at: Instant, key: String, direction: Direction, kind: PacketKind = .data, bytes: Range<Int64>,
        transmission: Int, effect: PacketEffect = .drop
    ) {
        self.at = at
        self.key = key
        self.direction = direction
        self.kind = kind
        self.bytes = bytes
        self.transmission = transmission
        self.effect = effect
    }

    /// A pipe's decision about a packet of the stream with the name `key`.
    package init(_ decision: PacketDecision, key: String, direction: Direction) {
        self.init(
            at: decision.at, key: key, direction: direction, kind: decision.kind, bytes: decision.bytes,
            transmission: decision.transmission, effect: decision.effect)
    }

    /// The fault that repeats this decision.
    package var fault: FaultSchedule.PacketFault {
        let place: FaultSchedule.Place =
            switch kind {
            case .data: .data(offset: bytes.lowerBound, length: effect.beginsAtByte ? nil : Int64(bytes.count))
            case .handshake: .handshake
            case .lookup: .lookup
            case .acknowledgement: .acknowledgement(bytes.lowerBound)
            case .reset: .reset
            }
        return FaultSchedule.PacketFault(
            connection: .named(key), direction: direction, place: place,
            transmission: effect == .cut ? nil : transmission, effect: effect)
    }

    /// The line of a fault schedule: `L2 conn=/a.zip down off=14480 len=1448 tx=1 drop`.
    package var line: String { fault.text }
}

extension Decision: Encodable {
    /// Its ``line``.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(line)
    }
}

/// A decision that had an effect on a packet, as a ``PacketPipe`` records it: with the number of the stream.
package struct PacketDecision: Hashable, Sendable {
    package var at: Instant
    package var stream: UInt64
    package var kind: PacketKind
    /// The offsets in the stream, as ``Decision/bytes``.
    package var bytes: Range<Int64>
    /// 1 for the first time that these bytes were sent.
    package var transmission: Int
    package var effect: PacketEffect
}

/// What a fault does to a packet.
package enum PacketEffect: Hashable, Sendable {
    /// It never arrives.
    case drop
    /// It arrives this much later; other packets do not wait for it.
    case delay(Duration)
    /// It arrives twice.
    case duplicate
    /// One bit of it is flipped, at this share of its length: 0 or more and below 1.
    case corrupt(at: Double)
    /// It skips the delay, and so overtakes those before it.
    case reorder
    /// From this packet on, its connection stalls for this long in this direction; then all of it arrives, in order.
    case stall(Duration)
    /// Its connection is reset there, at both ends.
    case cut

    /// Whether it applies to everything from a byte on, however packets divide it.
    fileprivate var beginsAtByte: Bool {
        switch self {
        case .stall, .cut: true
        case .drop, .delay, .duplicate, .corrupt, .reorder: false
        }
    }
}
