import LinkModel
import Testing

@testable import PacketLink

/// The types of addresses that a client looks up, as its link reports them.
@Suite struct LookupTests {
    private func query(_ type: UInt8, flags: UInt8 = 1, questions: UInt8 = 1) -> [UInt8] {
        [0x12, 0x34, flags, 0, 0, questions, 0, 0, 0, 0, 0, 0, 5] + Array("packs".utf8) + [0, 0, type, 0, 1]
    }

    private func types(_ packets: TestPacket...) throws -> [Int] {
        var link = try VirtualLink(.link(Conditions()))
        for packet in packets { link.send(packet) }
        _ = link.finish()
        return link.takeEvents().compactMap { event in
            guard case .lookup(let type) = event.kind else { return nil }
            return type
        }
    }

    /// A client may send both queries through one socket.
    @Test(arguments: [false, true])
    func eachQuestionIsReported(v6: Bool) throws {
        let packets = [UInt8(1), 28, 28].map { TestPacket.up(TestPacket.udp(1000, 53, query($0)), v6: v6) }
        #expect(try types(packets[0], packets[1], packets[2]) == [1, 28, 28])
    }

    @Test func otherPacketsAreNoQuestions() throws {
        let cut = Array(query(28).dropLast())
        let endless = Array(query(28).prefix(12)) + [UInt8](repeating: 63, count: 40)
        #expect(
            try types(
                .up(TestPacket.udp(1000, 53, cut)), .up(TestPacket.udp(1000, 53, endless)),
                .up(TestPacket.udp(1000, 53, [])), .up(TestPacket.udp(1000, 54, query(28))),
                .up(TestPacket.udp(1000, 53, query(28, flags: 0x81))),
                .up(TestPacket.udp(1000, 53, query(28, questions: 2))),
                .up(TestPacket.tcp(1000, 53, seq: 1, flags: TestPacket.ack, query(28))),
                .down(TestPacket.udp(53, 1000, query(28)))) == [])
    }
}
