/// A packet as a link sees it: its size, and the place of its bytes in its stream.
package struct Packet: Sendable, Hashable {
    /// The caller's identifier for it.
    package var token: UInt64
    /// The size of the IP packet in bytes, all headers included; the rate counts these.
    package var size: Int
    /// The number of its flow, 0 by default; flows take turns in the queue, and packets of one flow keep their order.
    package var flow: Int
    /// The number of its stream, as ``KeyedRandom/streamKey(_:)`` returns it; 0 by default.
    package var stream: UInt64
    /// The number of another name that schedules may have for its stream; 0 (the default): there is none.
    package var alias: UInt64 = 0
    package var kind: PacketKind
    /// The offsets of its payload in the byte stream that its end sends; without payload, its number as ``PacketKind``
    /// says.
    package var bytes: Range<Int64>
    /// 1 for the first time that these bytes are sent.
    package var transmission: Int
    /// Whether random faults leave it alone, because the model does not send it again; false by default.
    ///
    /// Faults of a schedule still apply to it.
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

    /// The key of random decisions about it.
    func subject(_ direction: Direction) -> KeyedRandom.Subject {
        KeyedRandom.Subject(
            stream: stream ^ kind.salt, direction: direction, slot: bytes.lowerBound, transmission: transmission)
    }
}

/// What became of a packet that was offered to a direction of a link.
package enum PacketOffer: Sendable, Hashable {
    /// It will be delivered `copies` times (1 or 2), unless the link goes offline or it is evicted before.
    case accepted(copies: Int)
    /// The loss process or a schedule dropped it.
    case lost
    /// A schedule cuts its connection here: the packet is dropped, and the caller resets both ends.
    case cut
    /// The link is offline.
    case offline
    /// The queue has no room for it.
    case full
}

/// A packet that has arrived.
package struct PacketDelivery: Sendable, Hashable {
    package var token: UInt64
    /// The exact moment of arrival, which may be before the moment of the poll.
    package var at: Instant
    /// Where the caller flips one bit, as a share of its length: 0 or more and below 1; nil: nowhere.
    package var corruptAt: Double?
}

/// What a packet carries, which decides how ``Packet/bytes`` counts it.
///
/// Each kind is counted separately, so that no decision about an acknowledgement affects one about data.
package enum PacketKind: UInt8, Sendable, CaseIterable {
    /// Payload or FIN; its place is the offsets of its bytes.
    case data
    /// SYN and SYN-ACK; its place is 0.
    case handshake
    /// A name lookup or its answer; its place is 0.
    case lookup
    /// An acknowledgement without payload; its place is a number that grows with what it acknowledges.
    case acknowledgement
    /// RST; its place is 0.
    case reset

    /// Separates the random decisions about the kinds of packets of one connection.
    ///
    /// Runs are repeatable only as long as these values never change.
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
