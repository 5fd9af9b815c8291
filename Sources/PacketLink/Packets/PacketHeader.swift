internal import LinkModel
internal import LinuxSupport

/// The fields of an IP packet that the link reads: of IPv4 (RFC 791) or IPv6 (RFC 8200), and of TCP, UDP or ICMP.
///
/// Any bytes may be read: those of no such packet give nil, and never a trap.
struct PacketHeader {
    /// The fields of a TCP segment (RFC 9293).
    struct TCP {
        static let finish: UInt8 = 1
        static let synchronize: UInt8 = 2
        static let reset: UInt8 = 4
        static let acknowledge: UInt8 = 16

        var sequence: UInt32
        var acknowledgement: UInt32
        var flags: UInt8

        func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    }

    /// The bytes of the IP packet; more bytes than these may have been read.
    private(set) var length: Int
    /// The protocol number behind all extension headers.
    private(set) var transport: UInt8
    private(set) var source: IPAddress
    private(set) var destination: IPAddress
    private(set) var sourcePort: UInt16 = 0
    private(set) var destinationPort: UInt16 = 0
    private(set) var transportOffset: Int
    /// The offset of the transport's payload; equal to `length` if there is none, or if the transport is unknown.
    private(set) var payloadOffset: Int
    private(set) var tcp: TCP?
    /// Whether it is a fragment other than the first, which has no ports.
    private(set) var isLaterFragment = false
    private(set) var mayFragment = false

    private static let mostExtensionHeaders = 8

    var sender: PacketEndpoint { PacketEndpoint(address: source, port: sourcePort) }
    var receiver: PacketEndpoint { PacketEndpoint(address: destination, port: destinationPort) }
    var payloadCount: Int { length - payloadOffset }

    /// Reads a packet; nil if it is neither IPv4 nor IPv6, or shorter than its header says.
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= 20 else { return nil }
        switch bytes[0] >> 4 {
        case 4:
            let headerBytes = Int(bytes[0] & 15) * 4
            length = Int(bytes.word16(2))
            guard headerBytes >= 20, length >= headerBytes, length <= bytes.count else { return nil }
            transport = bytes[9]
            source = IPAddress(version4: bytes.word32(12))
            destination = IPAddress(version4: bytes.word32(16))
            let fragment = bytes.word16(6)
            isLaterFragment = fragment & 0x1fff != 0
            mayFragment = fragment & 0x4000 == 0
            transportOffset = headerBytes
        case 6:
            guard bytes.count >= 40 else { return nil }
            length = Int(bytes.word16(4)) + 40
            guard length <= bytes.count else { return nil }
            transport = bytes[6]
            source = IPAddress(version6: bytes.word64(8), bytes.word64(16))
            destination = IPAddress(version6: bytes.word64(24), bytes.word64(32))
            transportOffset = 40
            payloadOffset = 40
            skipExtensionHeaders(bytes)
        default:
            return nil
        }
        payloadOffset = length
        readTransport(bytes)
    }

    /// Whether it is a query to a name server: UDP or TCP to port 53, with a payload (RFC 1035 §4.2).
    var isNameQuery: Bool {
        isForNameServer && payloadCount > 0
    }

    /// Whether it goes to a name server: UDP or TCP to port 53.
    var isForNameServer: Bool {
        destinationPort == 53 && (transport == IPProtocol.udp || transport == IPProtocol.tcp)
    }

    /// Whether it is a datagram to or from a name server, at port 53 of the host.
    func isNamePacket(_ direction: Direction) -> Bool {
        transport == IPProtocol.udp && (direction == .uplink ? destinationPort : sourcePort) == 53
    }

    /// Whether it may be answered: it is no ICMP error, no later fragment, and neither from nor to a multicast address.
    func mayBeAnswered(_ bytes: Span<UInt8>) -> Bool {
        guard !isLaterFragment, source.isUnicast, destination.isUnicast else { return false }
        guard transport == IPProtocol.icmp || transport == IPProtocol.icmp6 else { return true }
        guard transportOffset < length else { return false }
        return bytes[transportOffset] == (transport == IPProtocol.icmp ? 8 : 128)
    }

    /// Skips extension headers up to the transport (RFC 8200 §4); that of RFC 4302 counts its length in other units.
    private mutating func skipExtensionHeaders(_ bytes: Span<UInt8>) {
        for _ in 0..<Self.mostExtensionHeaders {
            guard transportOffset + 8 <= length else { return }
            let next = bytes[transportOffset]
            var size = 8 + Int(bytes[transportOffset + 1]) * 8
            switch transport {
            case 0, 43, 60: break
            case 44:
                size = 8
                isLaterFragment = isLaterFragment || bytes.word16(transportOffset + 2) & 0xfff8 != 0
            case 51: size = 8 + Int(bytes[transportOffset + 1]) * 4
            default: return
            }
            guard transportOffset + size <= length else { return }
            transport = next
            transportOffset += size
            if isLaterFragment { return }
        }
    }

    private mutating func readTransport(_ bytes: Span<UInt8>) {
        guard !isLaterFragment else { return }
        let at = transportOffset
        switch transport {
        case IPProtocol.tcp where at + 20 <= length:
            let headerBytes = Int(bytes[at + 12] >> 4) * 4
            guard headerBytes >= 20, at + headerBytes <= length else { return }
            readPorts(bytes)
            tcp = TCP(sequence: bytes.word32(at + 4), acknowledgement: bytes.word32(at + 8), flags: bytes[at + 13])
            payloadOffset = at + headerBytes
        case IPProtocol.udp where at + 8 <= length:
            readPorts(bytes)
            payloadOffset = at + 8
        case IPProtocol.icmp where at + 8 <= length && (bytes[at] == 8 || bytes[at] == 0),
            IPProtocol.icmp6 where at + 8 <= length && (bytes[at] == 128 || bytes[at] == 129):
            // An echo request and its reply have the same identifier.
            sourcePort = bytes.word16(at + 4)
            destinationPort = sourcePort
            payloadOffset = at + 8
        default:
            return
        }
    }

    private mutating func readPorts(_ bytes: Span<UInt8>) {
        sourcePort = bytes.word16(transportOffset)
        destinationPort = bytes.word16(transportOffset + 2)
    }
}

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
        guard header.transport == IPProtocol.udp, header.isNameQuery, header.payloadCount >= 17,
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

/// Numbers in network byte order (RFC 791, appendix B).
extension Span<UInt8> {
    func word16(_ offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }

    func word32(_ offset: Int) -> UInt32 { UInt32(word16(offset)) << 16 | UInt32(word16(offset + 2)) }

    func word64(_ offset: Int) -> UInt64 { UInt64(word32(offset)) << 32 | UInt64(word32(offset + 4)) }
}
