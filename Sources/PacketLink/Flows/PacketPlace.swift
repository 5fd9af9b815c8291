internal import LinkModel

/// Where a packet stands for random decisions.
///
/// Payload of TCP has its place on the connection's byte line. Handshakes, resets and pure acknowledgements have lines of
/// their own, as has each direction of any other flow, where a packet's ordinal takes the place of bytes.
struct PacketPlace {
    var stream: UInt64
    var bytes: Range<Int64>
    var transmission: Int
    /// What a decision names: bytes of the byte line, −1 for a handshake, the ordinal of a packet that has no byte line; nil
    /// for a pure acknowledgement, which is outside the promise of repeatability.
    var reported: Range<Int64>?

    // The first two are those of the stream model: both models decide alike.
    private static let handshake: UInt64 = 0x5359_4e
    private static let acknowledgement: UInt64 = 0x4143_4b
    private static let reset: UInt64 = 0x5253_54
    private static let other: UInt64 = 0x4f54_48

    private static let positionMask: Int64 = 1 << 50 - 1

    init(_ flow: inout Flow, _ header: PacketHeader, _ direction: Direction) {
        guard let tcp = header.tcp else {
            flow[direction].packets += 1
            self.init(ordinal: flow[direction].packets - 1, of: flow.stream)
            return
        }
        flow[direction].packets += 1
        if tcp.has(PacketHeader.TCP.synchronize) {
            let transmission = flow[direction].synchronize(tcp.sequence)
            self.init(slot: 0, of: flow.stream ^ Self.handshake, transmission: transmission)
            reported = -1 ..< -1
            return
        }
        flow[direction].begin(at: tcp.sequence)
        if tcp.has(PacketHeader.TCP.reset) {
            self.init(slot: 0, of: flow.stream ^ Self.reset, transmission: flow[direction].reset())
            return
        }
        let count = Int64(header.payloadCount) + (tcp.has(PacketHeader.TCP.finish) ? 1 : 0)
        if count == 0 {
            let position = flow[direction.opposite].offset(tcp.acknowledgement) ?? Int64(tcp.acknowledgement)
            let repeats = flow[direction].acknowledge(position)
            self.init(
                slot: position & Self.positionMask, of: flow.stream ^ Self.acknowledgement, transmission: repeats)
        } else if let offset = flow[direction].offset(tcp.sequence) {
            let bytes = offset..<offset + count
            let transmission = flow[direction].send(bytes)
            self.init(stream: flow.stream, bytes: bytes, transmission: transmission, reported: bytes)
        } else {
            self.init(ordinal: flow[direction].packets - 1, of: flow.stream ^ Self.other)
            reported = nil
        }
    }

    /// A packet that only has a number.
    init(ordinal: Int64, of stream: UInt64) {
        self.init(slot: ordinal & Self.positionMask, of: stream, transmission: 1)
        reported = ordinal..<ordinal + 1
    }

    /// A packet that the link itself sends.
    init(replyTo flow: inout Flow, _ direction: Direction) {
        self.init(slot: 0, of: flow.stream ^ Self.reset, transmission: flow[direction].reset())
    }

    /// The start of one slot, and nothing else.
    private init(slot: Int64, of stream: UInt64, transmission: Int) {
        let start = slot * LossProcess.slotBytes
        self.init(stream: stream, bytes: start..<start + 1, transmission: transmission, reported: nil)
    }

    private init(stream: UInt64, bytes: Range<Int64>, transmission: Int, reported: Range<Int64>?) {
        self.stream = stream
        self.bytes = bytes
        self.transmission = transmission
        self.reported = reported
    }
}
