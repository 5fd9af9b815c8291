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
        case (.tooBig(let mtu), false): message = [3, 4, 0, 0, 0, 0] + words16(mtu)
        case (.tooBig(let mtu), true): message = [2, 0, 0, 0, 0, 0] + words16(mtu)
        }
        for index in 0..<min(header.length, isVersion6 ? quotedBytes6 : quotedBytes4) { message.append(packet[index]) }
        let transport = isVersion6 ? PacketHeader.Transport.icmp6 : PacketHeader.Transport.icmp
        return answer(header, transport: transport, message, checksumAt: 2)
    }

    /// The RST by which a closed port answers a segment (RFC 9293 §3.5.2); nil for an RST, or for no TCP segment.
    static func reset(_ header: PacketHeader) -> [UInt8]? {
        guard let tcp = header.tcp, !tcp.has(PacketHeader.TCP.reset), header.source.isUnicast else { return nil }
        if tcp.has(PacketHeader.TCP.acknowledge) {
            return segment(header, sequence: tcp.acknowledgement, acknowledgement: 0, flags: PacketHeader.TCP.reset)
        }
        var length = UInt32(header.payloadCount)
        if tcp.has(PacketHeader.TCP.synchronize) { length += 1 }
        if tcp.has(PacketHeader.TCP.finish) { length += 1 }
        return segment(
            header, sequence: 0, acknowledgement: tcp.sequence &+ length,
            flags: PacketHeader.TCP.reset | PacketHeader.TCP.acknowledge)
    }

    /// The RST from `from` that resets an open connection; `sequence` is the number that `to` expects next.
    static func reset(from: PacketEndpoint, to: PacketEndpoint, sequence: UInt32) -> [UInt8] {
        packet(
            from: from.address, to: to.address, transport: PacketHeader.Transport.tcp,
            segment(from.port, to.port, sequence: sequence, acknowledgement: 0, flags: PacketHeader.TCP.reset),
            checksumAt: 16)
    }

    /// The answer that a name does not exist (RFC 1035 §4.1.1, code 3); nil if the query cannot be read.
    static func noName(_ header: PacketHeader, _ packet: Span<UInt8>) -> [UInt8]? {
        guard header.source.isUnicast, let question = NameQuestion(header, packet) else { return nil }
        let (query, end) = (header.payloadOffset, question.end)
        var message = words16(Int(header.destinationPort)) + words16(Int(header.sourcePort))
        message += words16(8 + end - query) + [0, 0]
        message += [packet[query], packet[query + 1], 0x80 | packet[query + 2] & 1, 0x83, 0, 1, 0, 0, 0, 0, 0, 0]
        for index in query + 12..<end { message.append(packet[index]) }
        return answer(header, transport: PacketHeader.Transport.udp, message, checksumAt: 6)
    }

    private static func segment(
        _ header: PacketHeader, sequence: UInt32, acknowledgement: UInt32, flags: UInt8
    ) -> [UInt8] {
        let bytes = segment(
            header.destinationPort, header.sourcePort, sequence: sequence, acknowledgement: acknowledgement,
            flags: flags)
        return answer(header, transport: PacketHeader.Transport.tcp, bytes, checksumAt: 16)
    }

    private static func segment(
        _ source: UInt16, _ destination: UInt16, sequence: UInt32, acknowledgement: UInt32, flags: UInt8
    ) -> [UInt8] {
        words16(Int(source)) + words16(Int(destination)) + words32(sequence) + words32(acknowledgement)
            + [5 << 4, flags, 0, 0, 0, 0, 0, 0]
    }

    private static func answer(
        _ header: PacketHeader, transport: UInt8, _ message: [UInt8], checksumAt: Int
    ) -> [UInt8] {
        packet(from: header.destination, to: header.source, transport: transport, message, checksumAt: checksumAt)
    }

    private static func packet(
        from: IPAddress, to: IPAddress, transport: UInt8, _ message: [UInt8], checksumAt: Int
    ) -> [UInt8] {
        var message = message
        var checksum = Checksum()
        if transport != PacketHeader.Transport.icmp {
            checksum.add(from.bytes + to.bytes)
            checksum.add(UInt32(message.count))
            checksum.add(UInt32(transport))
        }
        checksum.add(message)
        // A UDP checksum of 0 would say that there is none (RFC 768).
        let value = checksum.value == 0 && transport == PacketHeader.Transport.udp ? 0xffff : checksum.value
        message.replaceSubrange(checksumAt..<checksumAt + 2, with: words16(Int(value)))
        if from.isVersion6 {
            return [0x60, 0, 0, 0] + words16(message.count) + [transport, 64] + from.bytes + to.bytes + message
        }
        var head = [0x45, 0] + words16(20 + message.count) + [0, 0, 0x40, 0, 64, transport, 0, 0]
        head += from.bytes + to.bytes
        var headChecksum = Checksum()
        headChecksum.add(head)
        head.replaceSubrange(10..<12, with: words16(Int(headChecksum.value)))
        return head + message
    }

    private static func words16(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    private static func words32(_ value: UInt32) -> [UInt8] {
        words16(Int(value >> 16)) + words16(Int(value & 0xffff))
    }
}

/// The checksum of the Internet protocols (RFC 1071).
struct Checksum {
    private var sum: UInt64 = 0

    /// Adds bytes; an odd number of them is padded with a zero, so only the last call may have an odd number.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        var isHigh = true
        for byte in bytes {
            sum += isHigh ? UInt64(byte) << 8 : UInt64(byte)
            isHigh.toggle()
        }
    }

    mutating func add(_ word: UInt32) { sum += UInt64(word >> 16) + UInt64(word & 0xffff) }

    /// The value for a header's checksum field.
    var value: UInt16 {
        var folded = sum
        while folded >> 16 != 0 { folded = folded & 0xffff + folded >> 16 }
        return ~UInt16(folded)
    }
}
