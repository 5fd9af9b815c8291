internal import LinkModel

/// Where a packet stands for random decisions and schedules.
///
/// Payload of TCP has its place on the connection's byte line. Of anything else that is no lookup, the n-th packet of a
/// flow's direction has a slot to itself, so that it is lost with the probability that is set, whatever its size.
struct PacketPlace {
    var stream: UInt64
    /// The stream by its other name; 0: there is none.
    var alias: UInt64 = 0
    var kind = PacketKind.data
    var bytes: Range<Int64>
    var transmission = 1

    /// Numbers beyond this start anew; no flow gets there.
    private static let numberMask: Int64 = 1 << 50 - 1

    init(_ table: borrowing FlowTable, _ flow: Int32, _ header: PacketHeader, _ direction: Direction) {
        let number = table[flow, direction].packets
        table[flow, direction].packets += 1
        stream = table[flow].stream
        alias = table[flow].alias
        bytes = 0..<0
        guard let tcp = header.tcp else {
            if header.isNamePacket(direction) {
                kind = .lookup
                transmission = Int(number + 1)
            } else {
                bytes = Self.slot(number)
            }
            return
        }
        if tcp.has(PacketHeader.TCP.synchronize) {
            kind = .handshake
            transmission = table[flow, direction].synchronize(tcp.sequence)
            return
        }
        table[flow, direction].begin(at: tcp.sequence)
        if tcp.has(PacketHeader.TCP.reset) {
            kind = .reset
            transmission = table[flow, direction].reset()
            return
        }
        let payload = Int64(header.payloadCount)
        let isFinish = tcp.has(PacketHeader.TCP.finish)
        if payload == 0, !isFinish {
            let position = table[flow, direction.opposite].offset(tcp.acknowledgement) ?? Int64(tcp.acknowledgement)
            kind = .acknowledgement
            bytes = position..<position
            transmission = table[flow, direction].acknowledge(position)
        } else if let offset = table[flow, direction].offset(tcp.sequence) {
            // FIN takes a place on the line, and is no byte of it.
            bytes = offset..<offset + payload
            transmission = table[flow, direction].send(offset..<offset + payload + (isFinish ? 1 : 0))
        } else {
            bytes = Self.slot(number)
        }
    }

    /// A packet that belongs to no flow and only has a number.
    init(stray number: Int64, of stream: UInt64) {
        self.stream = stream
        bytes = Self.slot(number)
    }

    /// A packet that the link itself sends.
    init(replyTo flow: Int32, in table: borrowing FlowTable, _ direction: Direction) {
        stream = table[flow].stream
        kind = .reset
        bytes = 0..<0
        transmission = table[flow, direction].reset()
    }

    /// The start of one slot, and nothing else.
    private static func slot(_ number: Int64) -> Range<Int64> {
        let start = (number & numberMask) * LossProcess.slotBytes
        return start..<start + 1
    }
}
