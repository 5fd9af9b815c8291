import LinkModel
import Testing

@testable import PacketLink

/// What each kind of outage does to packets, and how the ends are answered.
@Suite struct OfflineTests {
    private static let delays = Conditions(delay: .milliseconds(20))

    private func link(_ kind: OfflineKind) throws -> VirtualLink {
        try VirtualLink(
            Profile(
                name: "test",
                conditions: LinkConditions(downlink: Self.delays, uplink: Self.delays, offline: kind)))
    }

    private let query = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + [5] + Array("packs".utf8) + [0, 0, 1, 0, 1]

    @Test func silentTakesEverythingBothWays() throws {
        var link = try link(.silent)
        link.send(.up(TestPacket.tcp(1000, 80, seq: 1, flags: TestPacket.syn)))
        link.send(.down(TestPacket.udp(1, 2, [1])))
        #expect(link.finish() == [])
        #expect(link.loop.summary().link.uplink.offlinePackets == 1)
        #expect(link.loop.summary().link.downlink.offlinePackets == 1)
    }

    @Test(arguments: [false, true])
    func noRouteAnswersTheClientAsANextHopDoes(v6: Bool) throws {
        var link = try link(.noRoute)
        let sent = TestPacket.up(TestPacket.tcp(1000, 80, seq: 1, flags: TestPacket.syn), v6: v6)
        link.send(sent, at: .seconds(1))
        link.send(.down(TestPacket.udp(1, 2, [1]), v6: v6))
        let arrivals = link.finish()
        #expect(arrivals.map(\.at) == [.seconds(1) + .milliseconds(1)] && arrivals.map(\.end) == [.client])
        let answer = try #require(arrivals.first?.packet)
        #expect(answer.source == sent.destination && answer.destination == sent.source)
        let quoted = [0, 0, 0, 0] + sent.bytes
        #expect(answer.body == .icmp(type: v6 ? 1 : 3, code: 0, rest: quoted))
    }

    @Test(arguments: [false, true])
    func refusedAnswersWithAResetAfterARoundTrip(v6: Bool) throws {
        var link = try link(.refused)
        link.send(.up(TestPacket.tcp(1000, 80, seq: 77, flags: TestPacket.syn), v6: v6))
        let arrivals = link.finish()
        #expect(arrivals.map(\.at) == [.milliseconds(40)] && arrivals.map(\.end) == [.client])
        #expect(
            arrivals.first?.packet
                == .down(TestPacket.tcp(80, 1000, seq: 0, ack: 78, flags: TestPacket.rst | TestPacket.ack), v6: v6))
    }

    @Test(arguments: [false, true])
    func refusedAnswersADatagramWithPortUnreachable(v6: Bool) throws {
        var link = try link(.refused)
        let sent = TestPacket.up(TestPacket.udp(1000, 443, [1, 2, 3]), v6: v6)
        link.send(sent)
        let arrivals = link.finish()
        #expect(arrivals.map(\.at) == [.milliseconds(40)])
        let quoted = [0, 0, 0, 0] + sent.bytes
        #expect(
            arrivals.first?.packet == .down(.icmp(type: v6 ? 1 : 3, code: v6 ? 4 : 3, rest: quoted), v6: v6))
    }

    @Test func goingRefusedResetsOpenConnectionsAtBothEnds() throws {
        var link = try VirtualLink(.link(Self.delays))
        link.send(.up(TestPacket.tcp(1000, 80, seq: 100, flags: TestPacket.syn)))
        link.send(.down(TestPacket.tcp(80, 1000, seq: 500, ack: 101, flags: TestPacket.syn | TestPacket.ack)))
        link.send(.up(TestPacket.tcp(1000, 80, seq: 101, ack: 501, flags: TestPacket.ack, [1, 2, 3])))
        link.send(.down(TestPacket.tcp(80, 1000, seq: 501, ack: 104, flags: TestPacket.ack, [4, 5])))
        _ = link.finish(within: .seconds(1))
        _ = link.takeEvents()
        var conditions = link.loop.conditions
        conditions.offline = .refused
        _ = link.loop.take(.conditions(conditions), at: link.now)
        let arrivals = link.finish(within: .seconds(1))
        #expect(
            arrivals.map(\.packet) == [
                .up(TestPacket.tcp(1000, 80, seq: 104, flags: TestPacket.rst)),
                .down(TestPacket.tcp(80, 1000, seq: 503, flags: TestPacket.rst)),
            ])
        #expect(arrivals.last.map { $0.at - .seconds(1) } == .milliseconds(20))
        let closed = link.takeEvents().filter { if case .closed = $0.kind { true } else { false } }
        #expect(closed.map(\.kind) == [.closed(downlink: 2, uplink: 3, cause: .linkReset)])
        // Data that the host still sends is refused as well.
        link.send(.down(TestPacket.tcp(80, 1000, seq: 503, ack: 104, flags: TestPacket.ack, [6])))
        #expect(link.finish().map(\.packet) == [.up(TestPacket.tcp(1000, 80, seq: 104, flags: TestPacket.rst))])
    }

    @Test func refusedLetsNamesBeLookedUp() throws {
        var link = try link(.refused)
        link.send(.up(TestPacket.udp(1000, 53, query)))
        link.send(.up(TestPacket.tcp(1001, 53, seq: 7, flags: TestPacket.syn)))
        #expect(link.finish().map(\.end) == [.host, .host])
        link.send(.down(TestPacket.udp(53, 1000, query)))
        link.send(.down(TestPacket.udp(54, 1000, [1])))
        #expect(link.finish().map(\.packet) == [.down(TestPacket.udp(53, 1000, query))])
    }

    @Test func noNameDeniesNamesAndNothingElse() throws {
        var link = try link(.noName)
        link.send(.up(TestPacket.udp(1000, 53, query)))
        link.send(.up(TestPacket.udp(1000, 443, [1])))
        link.send(.up(TestPacket.udp(1000, 53, [1, 2, 3])))
        let arrivals = link.finish()
        #expect(arrivals.map(\.end) == [.host, .client])
        var answer = query
        answer.replaceSubrange(2..<4, with: [0x81, 0x83])
        #expect(
            arrivals.last
                == Arrival(
                    at: .milliseconds(40), end: .client, bytes: TestPacket.down(TestPacket.udp(53, 1000, answer)).bytes)
        )
    }

    @Test func errorsAreNotAnsweredWithErrors() throws {
        var link = try link(.noRoute)
        link.send(.up(.icmp(type: 3, code: 3, rest: [UInt8](repeating: 0, count: 32))))
        var many = TestPacket.up(TestPacket.udp(1, 2, [1]))
        many.destination = [224, 0, 0, 1]
        link.send(many.bytes, from: .client)
        #expect(link.finish() == [])
        link.send(.up(.icmp(type: 8, code: 0, rest: [0, 1, 0, 1])))
        #expect(link.finish().count == 1)
    }

    @Test func goingOfflineDropsQueuedPacketsAndDeliversSentOnes() throws {
        let conditions = Conditions(rate: BitRate(bitsPerSecond: 1_200_000), delay: .milliseconds(100))
        var link = try VirtualLink(.link(conditions))
        for _ in 0..<10 { link.send(.down(TestPacket.udp(1, 2, [UInt8](repeating: 0, count: 1472)))) }
        link.run(until: .milliseconds(35))
        var offline = link.loop.conditions
        offline.offline = .silent
        _ = link.loop.take(.conditions(offline), at: link.now)
        // Three packets have left, and the fourth was being transmitted.
        #expect(link.finish().count == 4)
        #expect(link.loop.slab.used == 0)
    }

    @Test func aHeldLinkKeepsItsPackets() throws {
        var link = try VirtualLink(.open)
        var held = LinkConditions()
        held.isHeld = true
        _ = link.loop.take(.conditions(held), at: link.now)
        link.send(.down(TestPacket.udp(1, 2, [1])), at: .seconds(1))
        link.run(until: .seconds(2))
        #expect(link.take() == [])
        _ = link.loop.take(.own, at: link.now)
        #expect(link.finish().map(\.at) == [.seconds(2)])
    }

    @Test(arguments: [false, true])
    func queriesAreHeldOnTheirWayAndAnswersAreNot(v6: Bool) throws {
        var link = try VirtualLink(.link(Conditions(delay: .milliseconds(10)), dnsDelay: .seconds(3)))
        link.send(.up(TestPacket.udp(1000, 53, query), v6: v6))
        link.send(.up(TestPacket.udp(1000, 54, query), v6: v6), at: .milliseconds(1))
        link.send(.up(TestPacket.tcp(1000, 53, seq: 1, flags: TestPacket.syn), v6: v6), at: .milliseconds(2))
        link.send(.up(TestPacket.tcp(1000, 53, seq: 2, ack: 1, flags: TestPacket.ack, query), v6: v6))
        link.send(.down(TestPacket.udp(53, 1000, query), v6: v6), at: .milliseconds(3))
        #expect(
            link.finish().map(\.at) == [
                .milliseconds(11), .milliseconds(12), .milliseconds(13), .milliseconds(3010), .milliseconds(3012),
            ])
    }
}
