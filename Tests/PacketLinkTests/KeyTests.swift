import LinkModel
import Testing

@testable import PacketLink

/// The names of connections, which random decisions and schedules follow.
@Suite struct KeyTests {
    private static let request = Array("GET /packs/a.zip?token=1 HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    private static let synAck = TestPacket.syn | TestPacket.ack

    /// Connects from a port, without any payload.
    private func connect(_ link: inout VirtualLink, port: Int) {
        link.send(.up(TestPacket.tcp(port, 80, seq: 5, flags: TestPacket.syn)))
        link.send(.down(TestPacket.tcp(80, port, seq: 1000, ack: 6, flags: Self.synAck)))
    }

    private func ask(_ link: inout VirtualLink, port: Int, _ bytes: [UInt8], at offset: UInt32 = 0) {
        link.send(.up(TestPacket.tcp(port, 80, seq: 6 + offset, ack: 1001, flags: TestPacket.ack, bytes)))
    }

    private func answer(_ link: inout VirtualLink, port: Int, segments: Int) {
        for index in 0..<segments {
            let payload = [UInt8](repeating: 1, count: 1448)
            let sequence = 1001 + UInt32(index * payload.count)
            link.send(.down(TestPacket.tcp(80, port, seq: sequence, ack: 6, flags: TestPacket.ack, payload)))
        }
    }

    private func keys(_ link: inout VirtualLink) -> [String] {
        link.takeEvents().compactMap { if case .keyed(let key, _) = $0.kind { key } else { nil } }
    }

    private func lines(_ link: inout VirtualLink) -> [String] {
        link.takeEvents().compactMap { if case .decision(let decision) = $0.kind { decision.line } else { nil } }
    }

    @Test func theFirstRequestNamesAConnection() throws {
        var link = try VirtualLink(.open)
        for port in [1, 2, 3] { connect(&link, port: port) }
        ask(&link, port: 3, Self.request)
        ask(&link, port: 1, Self.request)
        ask(&link, port: 1, Array("GET /second HTTP/1.1\r\n\r\n".utf8), at: UInt32(Self.request.count))
        #expect(keys(&link) == ["/packs/a.zip", "/packs/a.zip#2"])
        #expect(link.loop.summary().known.map(\.name) == ["/packs/a.zip#2", "#2", "/packs/a.zip"])
    }

    /// TLS, a path cut by the end of a segment, bytes that are not the first ones, and datagrams.
    @Test func connectionsWithoutARequestAreNamedByOrder() throws {
        var link = try VirtualLink(.open)
        for port in 1...3 { connect(&link, port: port) }
        ask(&link, port: 1, [0x16, 3, 1, 0, 0])
        ask(&link, port: 1, Self.request, at: 5)
        ask(&link, port: 2, Array("GET /packs/a".utf8))
        ask(&link, port: 3, Self.request, at: 1)
        // This connection showed no SYN.
        link.send(.up(TestPacket.tcp(4, 80, seq: 6, ack: 1001, flags: TestPacket.ack, Self.request)))
        link.send(.up(TestPacket.udp(5, 80, Self.request)))
        #expect(keys(&link).isEmpty)
        #expect(link.loop.summary().known.map(\.name) == ["#1", "#2", "#3", "#4", "udp#1"])
    }

    @Test func aRequestThatIsLostNamesItsConnectionOnce() throws {
        var link = try VirtualLink(.link(Conditions(loss: .random(.one))))
        connect(&link, port: 1)
        for _ in 0..<2 { ask(&link, port: 1, Self.request) }
        #expect(
            lines(&link) == [
                "L2 conn=1 up syn tx=1 drop", "L2 conn=1 down syn tx=1 drop",
                "L2 conn=/packs/a.zip up off=0 len=1448 tx=1 drop",
                "L2 conn=/packs/a.zip up off=0 len=1448 tx=2 drop",
            ])
        link.send(.up(TestPacket.tcp(1, 80, seq: 900, flags: TestPacket.syn)))
        link.send(.up(TestPacket.tcp(1, 80, seq: 901, flags: TestPacket.ack, Self.request)))
        #expect(lines(&link).last == "L2 conn=/packs/a.zip#2 up off=0 len=1448 tx=1 drop")
    }

    /// Runs two downloads, accepted in an order, and returns the sorted lines about data.
    private func download(_ ports: [Int], schedule: FaultSchedule? = nil) throws -> [String] {
        let shape = Conditions(loss: schedule == nil ? .random(.percent(20)) : nil)
        let down = LinkConditions(downlink: shape)
        var link = try VirtualLink(Profile(name: "test", conditions: down), seed: 3, schedule: schedule)
        for port in ports { connect(&link, port: port) }
        for port in ports {
            ask(&link, port: port, Array("GET /\(port) HTTP/1.1\r\n\r\n".utf8))
            answer(&link, port: port, segments: 60)
        }
        if schedule != nil { #expect(link.loop.record().unmet == 0) }
        return lines(&link).filter { $0.contains(" off=") }.sorted()
    }

    @Test func theOrderOfConnectionsShiftsNoDecision() throws {
        let first = try download([4001, 4002])
        #expect(first.contains { $0.hasPrefix("L2 conn=/4001 down") })
        #expect(first.contains { $0.hasPrefix("L2 conn=/4002 down") })
        #expect(first.count > 10)
        #expect(try download([4002, 4001]) == first)
    }

    /// Requests four ranges of one path in an order, and returns the lines of the decisions.
    private func ranges(_ order: [Int], _ list: String) throws -> [String] {
        let profile = Profile(name: "test", conditions: LinkConditions())
        var link = try VirtualLink(profile, schedule: try FaultSchedule(parsing: list))
        for port in order { connect(&link, port: port) }
        for port in order {
            let range = "Range: bytes=\(port * 500_000)-\(port * 500_000 + 499_999)"
            ask(&link, port: port, Array("GET /two.bin HTTP/1.1\r\nHost: x\r\n\(range)\r\n\r\n".utf8))
            answer(&link, port: port, segments: 3)
        }
        return lines(&link)
    }

    @Test func aLineMeetsItsRangeInEachOrder() throws {
        let list = "L2 conn=/two.bin@1000000 down off=1448 len=1448 tx=1 drop"
        let others = "L2 conn=/two.bin@0 down off=0 len=1448 tx=1 drop"
        var order = [0, 1, 2, 3]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            order.shuffle(using: &generator)
            #expect(Set(try ranges(order, list + "\n" + others)) == [list, others], "\(order)")
        }
    }

    /// Schedules without ranges name the second connection for a path, whichever range it requests.
    @Test func theSecondConnectionOfAPathIsStillFoundByItsPlace() throws {
        let found = try ranges([3, 1, 2], "L2 conn=/two.bin#2 down off=0 drop")
        #expect(found == ["L2 conn=/two.bin@500000 down off=0 len=1448 tx=1 drop"])
    }

    @Test func aScheduleMeetsTheSameConnectionInAnotherOrder() throws {
        let list = try download([4001, 4002])
        let schedule = try FaultSchedule(parsing: list.joined(separator: "\n"))
        #expect(try download([4002, 4001], schedule: schedule) == list)
    }
}
