/// How much of a packet is its head: what the network and the transport need, and nothing that a program has written.
enum PacketHead {
    /// The bytes of a packet up to its payload.
    ///
    /// Datagrams of port 53 are kept whole, as names are what they are about. An ICMP error quotes a packet: of it the
    /// first eight bytes of its transport are kept. What is no IP packet is all payload.
    static func length(of packet: Span<UInt8>) -> Int {
        guard let header = PacketHeader(packet) else { return 0 }
        let at = header.transportOffset
        switch header.transport {
        case PacketHeader.Transport.tcp where header.tcp != nil: return header.payloadOffset
        case PacketHeader.Transport.udp where at + 8 <= header.length && !header.isLaterFragment:
            let isName = [header.sourcePort, header.destinationPort].contains(53)
            return isName ? header.length : at + 8
        case PacketHeader.Transport.icmp where at + 8 <= header.length && !header.isLaterFragment:
            let isError = [3, 4, 5, 11, 12].contains(packet[at])
            return min(header.length, at + 8 + (isError ? 20 + 8 : 0))
        case PacketHeader.Transport.icmp6 where at + 8 <= header.length && !header.isLaterFragment:
            let isError = packet[at] < 128
            // Neighbour discovery has nothing of a program's in it (RFC 4861).
            if (133...137).contains(packet[at]) { return header.length }
            return min(header.length, at + 8 + (isError ? 40 + 8 : 0))
        default: return min(at, header.length)
        }
    }
}
