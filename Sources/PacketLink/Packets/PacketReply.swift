internal import LinuxSupport

/// Packets that the link itself sends in the name of the other end, while it is offline or if a packet is too large.
enum PacketReply {
    /// The bytes of a packet that an error about it quotes: of IPv4 (RFC 1812 §4.3.2.3), and of IPv6 (RFC 4443 §2.4).
    private static let quotedBytes4 = 576 - 28
    private static let quotedBytes6 = 1280 - 48

    enum Unreachable {
        /// ENETUNREACH: there is no route.
        case network
        /// ECONNREFUSED: nothing listens.
        case port
        /// EMSGSIZE: larger than the link's MTU.
        case tooBig(mtu: Int)
    }

    /// The ICMP error about a packet (RFC 792, RFC 4443); nil if none may be sent.
    static func unreachable(_ reason: Unreachable, _ header: PacketHeader, _ packet: Span<UInt8>) -> [UInt8]? {
        guard header.mayBeAnswered(packet) else { return nil }
        let isVersion6 = header.source.isVersion6
        var message: [UInt8]
        switch (reason, isVersion6) {
        case (.network, false): message = [3, 0, 0, 0, 0, 0, 0, 0]
        case (.network, true): message = [1, 0, 0, 0, 0, 0, 0, 0]
        case (.port, false): message = [3, 3, 0, 0, 0, 0, 0, 0]
        case (.port, true): message = [1, 4, 0, 0, 0, 0, 0, 0]
        case (.tooBig(let mtu), false): message = [3, 4, 0, 0, 0, 0] + UInt16(truncatingIfNeeded: mtu).networkOrder
        case (.tooBig(let mtu), true): message = [2, 0, 0, 0, 0, 0] + UInt16(truncatingIfNeeded: mtu).networkOrder
        }
        for index in 0..<min(header.length, isVersion6 ? quotedBytes6 : quotedBytes4) { message.append(packet[index]) }
        let transport = isVersion6 ? IPProtocol.icmp6 : IPProtocol.icmp
        return InternetPacket.bytes(
            transport, from: header.destination.bytes, to: header.source.bytes, message, checksumAt: 2)
    }

    /// The RST by which a closed port answers a segment (RFC 9293 §3.5.2); nil for an RST, or for no TCP segment.
    static func reset(_ header: PacketHeader) -> [UInt8]? {
        guard let tcp = header.tcp, !tcp.has(PacketHeader.TCP.reset), header.source.isUnicast else { return nil }
        if tcp.has(PacketHeader.TCP.acknowledge) {
            return InternetPacket.reset(
                from: header.receiver.name, to: header.sender.name, sequence: tcp.acknowledgement)
        }
        var length = UInt32(header.payloadCount)
        if tcp.has(PacketHeader.TCP.synchronize) { length += 1 }
        if tcp.has(PacketHeader.TCP.finish) { length += 1 }
        return InternetPacket.reset(
            from: header.receiver.name, to: header.sender.name, acknowledging: tcp.sequence &+ length)
    }

    /// The answer that a name does not exist (RFC 1035 §4.1.1, code 3); nil if the query cannot be read.
    static func noName(_ header: PacketHeader, _ packet: Span<UInt8>) -> [UInt8]? {
        guard header.source.isUnicast, let question = NameQuestion(header, packet) else { return nil }
        let (query, end) = (header.payloadOffset, question.end)
        var message = header.destinationPort.networkOrder + header.sourcePort.networkOrder
        message += UInt16(truncatingIfNeeded: 8 + end - query).networkOrder + [0, 0]
        message += [packet[query], packet[query + 1], 0x80 | packet[query + 2] & 1, 0x83, 0, 1, 0, 0, 0, 0, 0, 0]
        for index in query + 12..<end { message.append(packet[index]) }
        return InternetPacket.bytes(
            IPProtocol.udp, from: header.destination.bytes, to: header.source.bytes, message, checksumAt: 6)
    }
}
