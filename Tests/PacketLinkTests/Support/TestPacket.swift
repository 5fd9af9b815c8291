/// An IP packet, written and read without any of the code under test.
struct TestPacket: Equatable {
    enum Body: Equatable {
        case udp(source: Int, destination: Int, payload: [UInt8])
        case tcp(
            source: Int, destination: Int, sequence: UInt32, acknowledgement: UInt32, flags: UInt8, payload: [UInt8])
        /// Type, code, and the bytes after the checksum.
        case icmp(type: UInt8, code: UInt8, rest: [UInt8])
    }

    static let client4: [UInt8] = [10, 77, 0, 2]
    static let host4: [UInt8] = [10, 77, 1, 2]
    static let client6: [UInt8] = [0xfd, 0x77] + [UInt8](repeating: 0, count: 13) + [2]
    static let host6: [UInt8] = [0xfd, 0x77, 0, 1] + [UInt8](repeating: 0, count: 11) + [2]

    static let fin: UInt8 = 1
    static let syn: UInt8 = 2
    static let rst: UInt8 = 4
    static let ack: UInt8 = 16

    var source: [UInt8]
    var destination: [UInt8]
    var body: Body

    var isVersion6: Bool { source.count == 16 }

    /// From the client to the host.
    static func up(_ body: Body, v6: Bool = false) -> TestPacket {
        TestPacket(source: v6 ? client6 : client4, destination: v6 ? host6 : host4, body: body)
    }

    /// From the host to the client.
    static func down(_ body: Body, v6: Bool = false) -> TestPacket {
        TestPacket(source: v6 ? host6 : host4, destination: v6 ? client6 : client4, body: body)
    }

    static func udp(_ source: Int, _ destination: Int, _ payload: [UInt8]) -> Body {
        .udp(source: source, destination: destination, payload: payload)
    }

    static func tcp(
        _ source: Int, _ destination: Int, seq: UInt32, ack: UInt32 = 0, flags: UInt8, _ payload: [UInt8] = []
    ) -> Body {
        .tcp(
            source: source, destination: destination, sequence: seq, acknowledgement: ack, flags: flags,
            payload: payload)
    }

    var bytes: [UInt8] {
        var message: [UInt8]
        let checksumAt: Int
        switch body {
        case .udp(let from, let to, let payload):
            message = be16(from) + be16(to) + be16(8 + payload.count) + [0, 0] + payload
            checksumAt = 6
        case .tcp(let from, let to, let sequence, let acknowledgement, let flags, let payload):
            message = be16(from) + be16(to) + be32(sequence) + be32(acknowledgement) + [0x50, flags, 0xff, 0xff]
            message += [0, 0, 0, 0] + payload
            checksumAt = 16
        case .icmp(let type, let code, let rest):
            message = [type, code, 0, 0] + rest
            checksumAt = 2
        }
        let sum = checksum((isICMP4 ? [] : pseudo(message.count)) + message)
        message.replaceSubrange(checksumAt..<checksumAt + 2, with: be16(sum))
        if isVersion6 {
            return [0x60, 0, 0, 0] + be16(message.count) + [transport, 64] + source + destination + message
        }
        var head = [0x45, 0] + be16(20 + message.count) + [0, 0, 0x40, 0, 64, transport, 0, 0] + source + destination
        head.replaceSubrange(10..<12, with: be16(checksum(head)))
        return head + message
    }

    /// Reads a packet with valid checksums; nil if it is not one.
    init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        let isVersion6 = first >> 4 == 6
        let headBytes = isVersion6 ? 40 : 20
        guard bytes.count >= headBytes + 8 else { return nil }
        source = Array(isVersion6 ? bytes[8..<24] : bytes[12..<16])
        destination = Array(isVersion6 ? bytes[24..<40] : bytes[16..<20])
        let transport = isVersion6 ? bytes[6] : bytes[9]
        let message = Array(bytes[headBytes...])
        if !isVersion6, TestPacket.sum(Array(bytes[..<20])) != 0xffff { return nil }
        func word(_ at: Int) -> Int { Int(message[at]) << 8 | Int(message[at + 1]) }
        func long(_ at: Int) -> UInt32 { UInt32(word(at)) << 16 | UInt32(word(at + 2)) }
        switch transport {
        case 17: body = .udp(source: word(0), destination: word(2), payload: Array(message[8...]))
        case 6:
            guard message.count >= 20 else { return nil }
            let offset = Int(message[12] >> 4) * 4
            guard offset <= message.count else { return nil }
            body = .tcp(
                source: word(0), destination: word(2), sequence: long(4), acknowledgement: long(8), flags: message[13],
                payload: Array(message[offset...]))
        case 1, 58: body = .icmp(type: message[0], code: message[1], rest: Array(message[4...]))
        default: return nil
        }
        let covered = (transport == 1 ? [] : pseudo(message.count)) + message
        guard TestPacket.sum(covered) == 0xffff else { return nil }
    }

    init(source: [UInt8], destination: [UInt8], body: Body) {
        self.source = source
        self.destination = destination
        self.body = body
    }

    private var transport: UInt8 {
        switch body {
        case .udp: 17
        case .tcp: 6
        case .icmp: isVersion6 ? 58 : 1
        }
    }

    private var isICMP4: Bool { transport == 1 }

    private func pseudo(_ count: Int) -> [UInt8] { source + destination + be32(UInt32(count)) + [0, 0, 0, transport] }

    private func checksum(_ bytes: [UInt8]) -> Int { ~TestPacket.sum(bytes) & 0xffff }

    private static func sum(_ bytes: [UInt8]) -> Int {
        var (sum, index) = (0, 0)
        // In a build without optimization, an iterator would take most of the time of some tests.
        while index < bytes.count {
            sum += index % 2 == 0 ? Int(bytes[index]) << 8 : Int(bytes[index])
            index += 1
        }
        while sum > 0xffff { sum = sum & 0xffff + sum >> 16 }
        return sum
    }
}

func be16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

func be32(_ value: UInt32) -> [UInt8] { be16(Int(value >> 16)) + be16(Int(value & 0xffff)) }
