internal import LinkModel

/// The place of a packet, which keys random decisions about it and names it in schedules.
///
/// Payload of TCP has its place on the connection's byte line. The n-th packet of other kinds in a flow's direction,
/// except name lookups, has a slot of its own: so it is lost with the configured probability, whatever its size.
struct PacketPlace {
    var stream: UInt64
    /// The stream key of the flow's other name; 0 if there is none.
    var alias: UInt64 = 0
    var kind = PacketKind.data
    var bytes: Range<Int64>
    var transmission = 1

    /// The mask at which packet numbers wrap; no flow has so many packets.
    private static let numberMask: Int64 = 1 << 50 - 1

    init(_ table: borrowing FlowTable, _ flow: Int32, _ header: PacketHeader, _ direction: Direction) {
        let number = table.flows[flow, direction].packets
        table.flows[flow, direction].packets += 1
        stream = table.flows[flow].stream
        alias = table.flows[flow].alias
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
            transmission = table.flows[flow, direction].synchronize(tcp.sequence)
            return
        }
        table.flows[flow, direction].begin(at: tcp.sequence)
        if tcp.has(PacketHeader.TCP.reset) {
            kind = .reset
            transmission = table.flows[flow, direction].reset()
            return
        }
        let payload = Int64(header.payloadCount)
        let isFinish = tcp.has(PacketHeader.TCP.finish)
        if payload == 0, !isFinish {
            let position =
                table.flows[flow, direction.opposite].offset(tcp.acknowledgement) ?? Int64(tcp.acknowledgement)
            kind = .acknowledgement
            bytes = position..<position
            transmission = table.flows[flow, direction].acknowledge(position)
        } else if let offset = table.flows[flow, direction].offset(tcp.sequence), offset >= 0 {
            // FIN takes a place on the byte line, but is no byte of it.
            bytes = offset..<offset + payload
            transmission = table.flows[flow, direction].send(offset..<offset + payload + (isFinish ? 1 : 0))
        } else {
            bytes = Self.slot(number)
        }
    }

    /// The place of a packet that belongs to no flow; it has only a number.
    init(stray number: Int64, of stream: UInt64) {
        self.stream = stream
        bytes = Self.slot(number)
    }

    /// The place of a packet that the link itself sends.
    init(replyTo flow: Int32, in table: borrowing FlowTable, _ direction: Direction) {
        stream = table.flows[flow].stream
        kind = .reset
        bytes = 0..<0
        transmission = table.flows[flow, direction].reset()
    }

    /// The first byte of one slot.
    private static func slot(_ number: Int64) -> Range<Int64> {
        let start = (number & numberMask) * LossProcess.slotBytes
        return start..<start + 1
    }
}
