import Testing

@testable import Testbed

struct OutsideTests {
    /// SYN of a client, 10.77.0.2:4660, to 192.0.2.1:80, sequence number 1.
    private static let connect: [UInt8] =
        [0x45, 0, 0, 40, 0, 0, 0x40, 0, 64, 6, 0, 0, 10, 77, 0, 2, 192, 0, 2, 1]
        + [0x12, 0x34, 0, 80, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 0x02, 0xff, 0xff, 0, 0, 0, 0]

    private static func changed(_ place: Int, _ value: UInt8) -> [UInt8] {
        var bytes = connect
        bytes[place] = value
        return bytes
    }

    @Test("a ping to this machine is answered, and no other packet", arguments: [0, 1, 56])
    func answersPings(_ count: Int) throws {
        let payload = (0..<count).map { UInt8($0 + 7) }
        var ping: [UInt8] = [0x45, 0, 0, UInt8(28 + count), 0x12, 0x34, 0x40, 0, 63, 1, 0, 0]
        ping += [10, 77, 0, 2, 10, 77, 2, 1] + [8, 0, 0, 0, 0xab, 0xcd, 0, 3] + payload
        let answer = try #require(PingPacket.answer(to: ping))
        #expect(Array(answer[12..<20]) == [10, 77, 2, 1, 10, 77, 0, 2] && answer.count == ping.count)
        #expect(answer[20] == 0 && Array(answer[24...]) == Array(ping[24...]))
        // The one's complement sum of a message with its checksum is all ones.
        var sum = 0
        for (place, byte) in answer[20...].enumerated() { sum += place.isMultiple(of: 2) ? Int(byte) << 8 : Int(byte) }
        while sum > 0xffff { sum = (sum >> 16) + (sum & 0xffff) }
        #expect(sum == 0xffff)
        for (place, value) in [(16, 11), (20, 0), (21, 1), (9, 17), (7, 1), (0, 0x65), (0, 0x44)] as [(Int, UInt8)] {
            var other = ping
            other[place] = value
            #expect(PingPacket.answer(to: other) == nil)
        }
        #expect(PingPacket.answer(to: Array(ping.prefix(27))) == nil)
    }

    @Test func theFirstPacketOfAConnectionIsRecognized() throws {
        let packet = try #require(ConnectPacket(Self.connect))
        #expect(packet.end == OutsideEnd(address: [192, 0, 2, 1], port: 80))
        #expect(packet.origin == OutsideEnd(address: [10, 77, 0, 2], port: 0x1234))
    }

    @Test(
        arguments: [
            [], [0x45], Array(connect.dropLast()), changed(0, 0x44), changed(0, 0x4f), changed(0, 0x55), changed(9, 17),
            changed(6, 0x20), changed(7, 1), changed(33, 0x12), changed(33, 0x04), changed(33, 0x10),
            [0x60] + connect.dropFirst(),
        ] as [[UInt8]])
    func otherPacketsAreIgnored(bytes: [UInt8]) {
        #expect(ConnectPacket(bytes) == nil)
    }

    @Test func aRefusalIsAValidReset() throws {
        let refusal = try #require(ConnectPacket(Self.connect)).refusal
        #expect(Array(refusal[12..<20]) == [192, 0, 2, 1, 10, 77, 0, 2])
        #expect(Array(refusal[20..<34]) == [0, 80, 0x12, 0x34, 0, 0, 0, 0, 0, 0, 0, 2, 0x50, 0x14])
        #expect(sum(refusal[..<20]) == 0xffff)
        #expect(sum(refusal[12..<20] + [0, 6, 0, 20] + refusal[20...]) == 0xffff)
    }

    /// The one's complement sum of a packet with its checksum in place is all ones (RFC 1071).
    private func sum(_ bytes: some Collection<UInt8>) -> UInt32 {
        let bytes = Array(bytes)
        var sum: UInt32 = 0
        for place in stride(from: 0, to: bytes.count, by: 2) {
            sum += UInt32(bytes[place]) << 8 + UInt32(bytes[place + 1])
        }
        return (sum >> 16) + (sum & 0xffff)
    }

    @Test(
        arguments: [
            ("", [127, 0, 0, 1]), ("search x\nnameserver 192.0.2.53\nnameserver 192.0.2.54", [192, 0, 2, 53]),
            ("nameserver what\nnameserver\t::1\n", [UInt8](repeating: 0, count: 15) + [1]),
        ] as [(String, [UInt8])])
    func theFirstNameServerIsUsed(file: String, address: [UInt8]) {
        #expect(OutsideEnd.nameServer(in: file) == address)
    }

    @Test(
        arguments: [
            ("", "", false, false),
            (
                "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\neth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\n",
                "", true, false
            ),
            (
                "Iface\tDestination\neth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\n",
                "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fd000000000000000000000000000001 00000400 1 0 00000003 eth0\n",
                false, true
            ),
            (
                "",
                "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 1 0 00200200 lo\n",
                false, false
            ),
        ] as [(String, String, Bool, Bool)])
    func aFamilyNeedsADefaultRoute(ipv4: String, ipv6: String, hasIPv4: Bool, hasIPv6: Bool) {
        let families = OutsideFamilies(ipv4: ipv4, ipv6: ipv6)
        #expect((families.hasIPv4, families.hasIPv6) == (hasIPv4, hasIPv6))
    }
}
