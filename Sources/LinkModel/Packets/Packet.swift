/// A packet as a link sees it: a size, and where its bytes lie on the byte line of its stream.
package struct Packet: Sendable, Hashable {
    /// What the caller knows it by.
    package var token: UInt64
    /// Bytes that the rate is charged with, all headers of the IP packet included.
    package var size: Int
    /// Which turn it waits for; packets of one flow keep their order.
    package var flow: Int
    /// Which stream it belongs to: ``KeyedRandom/streamKey(_:)``.
    package var stream: UInt64
    /// The same of another name that schedules may have for it; 0: there is none.
    package var alias: UInt64 = 0
    package var kind: PacketKind
    /// Its payload's place on the stream's byte line; where it has none, its number, as ``PacketKind`` says.
    package var bytes: Range<Int64>
    /// 1 for the first time that these bytes are sent.
    package var transmission: Int
    /// Whether chance leaves it alone, as it does what a model does not send again.
    ///
    /// Schedules may still name it.
    package var isSpared = false

    package init(
        token: UInt64,
        size: Int,
        flow: Int = 0,
        stream: UInt64 = 0,
        kind: PacketKind = .data,
        bytes: Range<Int64>,
        transmission: Int = 1
    ) {
        self.token = token
        self.size = size
        self.flow = flow
        self.stream = stream
        self.kind = kind
        self.bytes = bytes
        self.transmission = transmission
    }
}

extension Packet {
    /// What chance decides about.
    func subject(_ direction: Direction) -> KeyedRandom.Subject {
        KeyedRandom.Subject(
            stream: stream ^ kind.salt, direction: direction, slot: bytes.lowerBound, transmission: transmission)
    }
}

/// What became of a packet that was offered to a direction of a link.
package enum PacketOffer: Sendable, Hashable {
    /// It will be delivered `copies` times, unless the link goes offline or it is evicted before.
    case accepted(copies: Int)
    /// The loss process took it, or a schedule.
    case lost
    /// A schedule ends its connection here: it is gone, and both ends are to be reset.
    case cut
    /// The link is offline.
    case offline
    /// The queue has no room for it.
    case full
}

/// A packet that has come through.
package struct PacketDelivery: Sendable, Hashable {
    package var token: UInt64
    /// The exact moment, which may lie before the one at which it was asked for.
    package var at: Instant
    /// One bit of it is to be flipped, at this share of its length.
    package var corruptAt: Double?
}

/// What a packet carries, and so which of its connection's numbers say where it stands.
///
/// Each kind has a byte line of its own, so that no decision about an acknowledgement touches one about data.
package enum PacketKind: UInt8, Sendable, CaseIterable {
    /// Payload, or the end of it; its place is that of its bytes.
    case data
    /// SYN and SYN-ACK; its place is 0.
    case handshake
    /// A name lookup or its answer; its place is 0.
    case lookup
    /// No payload; its place is a number that grows with what it acknowledges.
    case acknowledgement
    /// RST; its place is 0.
    case reset

    /// What tells the byte lines of one connection apart; part of what makes a run repeatable, so it never changes.
    var salt: UInt64 {
        switch self {
        case .data: 0
        case .handshake: 0x5359_4e
        case .lookup: 0x444e_53
        case .acknowledgement: 0x4143_4b
        case .reset: 0x5253_54
        }
    }
}
