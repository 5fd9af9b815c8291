import LinkModel
import LinuxSupport

/// Blocks of a pcapng file, in little-endian byte order (draft-ietf-opsawg-pcapng).
enum PcapngBlocks {
    /// The ends in the order of their interface numbers.
    static let ends: [End] = [.client, .host]

    enum BlockType {
        static let section: UInt32 = 0x0a0d_0d0a
        static let interface: UInt32 = 1
        static let statistics: UInt32 = 5
        static let packet: UInt32 = 6
        static let secrets: UInt32 = 10
    }

    private enum Option {
        static let comment: UInt16 = 1
        static let packetFlags: UInt16 = 2
        static let name: UInt16 = 2
        static let application: UInt16 = 4
        static let received: UInt16 = 4
        static let missed: UInt16 = 5
        static let resolution: UInt16 = 9
    }

    /// The link type of IP packets without a frame (LINKTYPE_RAW).
    private static let rawLinkType: UInt16 = 101

    /// The blocks at the start of a file: a section header, and an interface for each end, with times in nanoseconds.
    static var head: [UInt8] {
        let section = word(UInt32(0x1a2b_3c4d)) + [1, 0, 0, 0] + word(UInt64.max)
        let application = option(Option.application, Array("headwind".utf8))
        return block(BlockType.section, section + application + endOfOptions)
            + ends.flatMap { end in
                let options = option(Option.name, Array(end.rawValue.utf8)) + option(Option.resolution, [9])
                return block(
                    BlockType.interface, [UInt8(rawLinkType), 0, 0, 0] + word(UInt32(0)) + options + endOfOptions)
            }
    }

    /// The bytes before and after a packet in its block, which has the first `kept` of the packet's `length` bytes.
    static func packet(
        length: Int, kept: Int, at end: End, isInbound: Bool, nanoseconds: UInt64, comment: String?
    ) -> (before: [UInt8], after: [UInt8]) {
        let remark = comment.map { option(Option.comment, Array($0.utf8)) } ?? []
        let options = remark + option(Option.packetFlags, word(UInt32(isInbound ? 1 : 2))) + endOfOptions
        let padding = padding(kept)
        let total = UInt32(32 + kept + padding.count + options.count)
        let before =
            word(BlockType.packet) + word(total) + word(number(of: end)) + time(nanoseconds) + word(UInt32(kept))
            + word(UInt32(length))
        return (before, padding + options + word(total))
    }

    /// The statistics of an interface: how many packets it had, and how many of them are not in the file.
    static func statistics(of end: End, received: Int, missed: Int, nanoseconds: UInt64) -> [UInt8] {
        let options = option(Option.received, word(UInt64(received))) + option(Option.missed, word(UInt64(missed)))
        return block(BlockType.statistics, word(number(of: end)) + time(nanoseconds) + options + endOfOptions)
    }

    /// The block of a packet without its payload; nil if it is no such block.
    static func withoutPayload(_ block: [UInt8]) -> [UInt8]? {
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(block[offset + $1]) << (8 * $1) } }
        guard block.count >= 32 else { return nil }
        let kept = number(20)
        let options = 28 + kept + padding(kept).count
        guard options + 4 <= block.count else { return nil }
        let packet = Array(block[28..<28 + kept])
        // A packet that is shorter than its length has already lost its payload.
        let head = number(24) > kept ? kept : PacketHead.length(of: packet.span)
        var body = Array(block[8..<20])
        body += word(UInt32(head))
        body += block[24..<28]
        body += packet[..<head]
        body += padding(head)
        body += block[options..<block.count - 4]
        return Self.block(BlockType.packet, body)
    }

    /// The block of secrets of TLS, as lines of a key log.
    static func secrets(_ lines: [UInt8]) -> [UInt8] {
        block(BlockType.secrets, word(keyLogType) + word(UInt32(lines.count)) + lines + padding(lines.count))
    }

    /// The type of secrets `TLSK`: TLS Key Log.
    private static let keyLogType: UInt32 = 0x544c_534b

    private static func number(of end: End) -> UInt32 { UInt32(ends.firstIndex(of: end) ?? 0) }

    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let total = word(UInt32(12 + body.count))
        return word(type) + total + body + total
    }

    private static let endOfOptions: [UInt8] = [0, 0, 0, 0]

    /// The zeros that fill up `count` bytes to a multiple of four.
    private static func padding(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: (4 - count % 4) % 4) }

    private static func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        word(code) + word(UInt16(value.count)) + value + padding(value.count)
    }

    private static func time(_ nanoseconds: UInt64) -> [UInt8] {
        word(UInt32(nanoseconds >> 32)) + word(UInt32(truncatingIfNeeded: nanoseconds))
    }

    private static func word(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// The head of a packet: the bytes for network and transport, without any that a program has written.
enum PacketHead {
    /// The number of bytes of a packet up to its payload.
    ///
    /// Datagrams of port 53 count whole, as the names in them matter. Of the packet that an ICMP error quotes, the IP
    /// header and eight bytes behind it count. Bytes that are no IP packet are all payload.
    static func length(of packet: Span<UInt8>) -> Int {
        guard let header = PacketHeader(packet) else { return 0 }
        let at = header.transportOffset
        switch header.transport {
        case IPProtocol.tcp where header.tcp != nil: return header.payloadOffset
        case IPProtocol.udp where at + 8 <= header.length && !header.isLaterFragment:
            let isName = [header.sourcePort, header.destinationPort].contains(53)
            return isName ? header.length : at + 8
        case IPProtocol.icmp where at + 8 <= header.length && !header.isLaterFragment:
            let isError = [3, 4, 5, 11, 12].contains(packet[at])
            return min(header.length, at + 8 + (isError ? 20 + 8 : 0))
        case IPProtocol.icmp6 where at + 8 <= header.length && !header.isLaterFragment:
            let isError = packet[at] < 128
            // Neighbour discovery has no bytes of a program (RFC 4861).
            if (133...137).contains(packet[at]) { return header.length }
            return min(header.length, at + 8 + (isError ? 40 + 8 : 0))
        default: return min(at, header.length)
        }
    }
}
