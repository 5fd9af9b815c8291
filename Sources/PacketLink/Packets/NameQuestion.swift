/// The question of a datagram to a name server (RFC 1035 §4.1.2).
struct NameQuestion {
    /// The type of record in the question: 1 is an IPv4 address, 28 an IPv6 address (RFC 3596).
    let type: UInt16
    /// The offset in the packet of the first byte behind the question.
    let end: Int

    /// Nil if the packet is no query with one question, or cannot be read.
    init?(_ header: PacketHeader, _ packet: Span<UInt8>) {
        let query = header.payloadOffset
        // The header's 12 bytes, a name, type and class.
        guard header.transport == PacketHeader.Transport.udp, header.isNameQuery, header.payloadCount >= 17,
            packet[query + 2] & 0xf8 == 0, packet.word16(query + 4) == 1
        else { return nil }
        var end = query + 12
        while end < header.length, packet[end] != 0 {
            guard packet[end] < 64 else { return nil }
            end += Int(packet[end]) + 1
        }
        end += 5
        guard end <= header.length else { return nil }
        (type, self.end) = (packet.word16(end - 4), end)
    }
}
