import LinkModel
import Testing

@testable import PacketLink

/// Rate, delay, loss and the other conditions, in virtual time.
@Suite struct ShapingTests {
    private func datagram(_ index: Int, bytes: Int = 1500) -> TestPacket {
        .down(TestPacket.udp(9, 10, be32(UInt32(index)) + [UInt8](repeating: 7, count: bytes - 32)))
    }

    private func index(of arrival: Arrival) -> Int? {
        guard case .udp(_, _, let payload) = arrival.packet?.body, payload.count >= 4 else { return nil }
        return payload[..<4].reduce(0) { $0 << 8 | Int($1) }
    }

    @Test func anOpenLinkPassesEverythingAtOnceAndCounts() throws {
        var link = try VirtualLink(.open)
        for index in 0..<10 { link.send(datagram(index), at: .milliseconds(index)) }
        let arrivals = link.take()
        #expect(arrivals.map(\.at) == (0..<10).map { .milliseconds($0) })
        #expect(arrivals.map(\.bytes) == (0..<10).map { datagram($0).bytes })
        let counters = link.loop.summary()
        #expect(counters.link.downlink.deliveredPackets == 10 && counters.link.downlink.wireBytes == 15_000)
        #expect(counters.wire.downlink == 15_000 && counters.link.downlink.payload == 14_720)
        #expect(counters.link.uplink.offeredPackets == 0 && counters.wire.uplink == 0)
    }

    @Test func theRateIsChargedWithWholePackets() throws {
        // 1500 bytes at 1.2 Mbit/s take 10 ms.
        var link = try VirtualLink(.link(Conditions(rate: BitRate(bitsPerSecond: 1_200_000), delay: .milliseconds(30))))
        for index in 0..<5 { link.send(datagram(index)) }
        #expect(link.finish().map(\.at) == (1...5).map { .milliseconds(30 + 10 * $0) })
    }

    @Test func bothDirectionsHaveTheirOwnDelay() throws {
        let conditions = LinkConditions(
            downlink: Conditions(delay: .milliseconds(40)), uplink: Conditions(delay: .milliseconds(3)))
        var link = try VirtualLink(Profile(name: "test", conditions: conditions))
        link.send(.up(TestPacket.udp(1, 2, [1])))
        link.send(.down(TestPacket.udp(2, 1, [2])))
        let arrivals = link.finish()
        #expect(arrivals.map(\.at) == [.milliseconds(3), .milliseconds(40)])
        #expect(arrivals.map(\.end) == [.host, .client])
    }

    @Test(arguments: [(QueueLimit.packets(3), 4), (.bytes(ByteCount(4500)), 4), (.bytes(ByteCount(1500)), 2)])
    func packetsThatExceedTheQueueAreDroppedAtItsTail(limit: QueueLimit, expected: Int) throws {
        var link = try VirtualLink(.link(Conditions(rate: BitRate(bitsPerSecond: 1_000_000), queue: limit)))
        for index in 0..<10 { link.send(datagram(index)) }
        // One packet is being transmitted while the others wait.
        #expect(link.finish().map { index(of: $0) } == (0..<expected).map { $0 })
        #expect(link.loop.summary().link.downlink.droppedPackets == 10 - expected)
        #expect(link.loop.slab.used == 0)
    }

    /// The range holds all but a millionth of a binomial distribution.
    @Test(arguments: [PacketEffect.drop, .duplicate, .reorder, .corrupt(at: 0)], [1, 10])
    func randomEffectsHaveTheirShare(effect: PacketEffect, percent: Int64) throws {
        var conditions = Conditions(delay: .milliseconds(1))
        switch effect {
        case .drop: conditions.loss = .random(.percent(percent))
        case .duplicate: conditions.duplicate = .percent(percent)
        case .reorder: conditions.reorder = .percent(percent)
        default: conditions.corrupt = .percent(percent)
        }
        var link = try VirtualLink(.link(conditions))
        let (count, bytes) = (20_000, datagram(0, bytes: 60).bytes)
        for _ in 0..<count { link.send(bytes, from: .host) }
        let arrivals = link.finish()
        let happened =
            switch effect {
            case .drop: count - arrivals.count
            case .duplicate: arrivals.count - count
            case .reorder: arrivals.filter { $0.at < .milliseconds(1) }.count
            default: arrivals.filter { $0.bytes != bytes }.count
            }
        let (share, total) = (Double(percent) / 100, Double(count))
        #expect(abs(Double(happened) - share * total) < 4.9 * (total * share * (1 - share)).squareRoot())
        let decisions = link.takeEvents().filter { if case .decision = $0.kind { true } else { false } }
        #expect(decisions.count == happened && link.loop.slab.used == 0)
    }

    @Test func theSameSeedLosesTheSameAndAnotherDoesNot() throws {
        func survivors(_ seed: UInt64) throws -> [Int?] {
            var link = try VirtualLink(.link(Conditions(loss: .random(.percent(20)))), seed: seed)
            for index in 0..<200 { link.send(datagram(index)) }
            return link.finish().map { index(of: $0) }
        }
        #expect(try survivors(5) == survivors(5))
        #expect(try survivors(5) != survivors(6))
    }

    @Test func copiesAreWholeAndCounted() throws {
        var link = try VirtualLink(.link(Conditions(delay: .milliseconds(1), duplicate: .percent(30))))
        for index in 0..<1000 { link.send(datagram(index)) }
        let arrivals = link.finish().map { index(of: $0) }
        let doubled = arrivals.count - 1000
        #expect((230...370).contains(doubled))
        #expect(Set(arrivals).count == 1000 && !arrivals.contains(nil))
        #expect(link.loop.slab.used == 0)
    }

    @Test func overtakingSkipsTheDelay() throws {
        var link = try VirtualLink(.link(Conditions(delay: .milliseconds(50), reorder: .percent(10))))
        for index in 0..<500 { link.send(datagram(index), at: .milliseconds(index)) }
        let arrivals = link.finish()
        let early = arrivals.filter { $0.at < .milliseconds(index(of: $0) ?? 0) + .milliseconds(50) }
        #expect((25...80).contains(early.count) && arrivals.count == 500)
        #expect(arrivals.map { index(of: $0) ?? -1 } != (0..<500).map { $0 })
    }

    @Test(arguments: [false, true])
    func corruptionFlipsOneBitAndKeepsTheChecksum(isDoubled: Bool) throws {
        let conditions = Conditions(
            delay: .milliseconds(1), duplicate: isDoubled ? .one : .zero, corrupt: .one)
        var link = try VirtualLink(.link(conditions))
        for index in 0..<200 { link.send(datagram(index, bytes: 60)) }
        let arrivals = link.finish()
        #expect(arrivals.count == (isDoubled ? 400 : 200))
        for (position, arrival) in arrivals.enumerated() {
            let sent = datagram(isDoubled ? position / 2 : position, bytes: 60).bytes
            let flipped = zip(sent, arrival.bytes).enumerated().filter { $0.element.0 != $0.element.1 }
            #expect(flipped.count == 1 && flipped.allSatisfy { $0.offset >= 28 })
            #expect(flipped.allSatisfy { ($0.element.0 ^ $0.element.1).nonzeroBitCount == 1 })
            #expect(arrival.packet == nil)
        }
    }

    @Test func jitterKeepsTheOrder() throws {
        let jitter = Jitter(amount: .milliseconds(20), distribution: .normal)
        var link = try VirtualLink(.link(Conditions(delay: .milliseconds(60), jitter: jitter)))
        for index in 0..<300 { link.send(datagram(index), at: .milliseconds(index)) }
        let arrivals = link.finish()
        #expect(arrivals.map { index(of: $0) } == (0..<300).map { $0 })
        #expect(Set(arrivals.enumerated().map { $1.at - .milliseconds($0) }).count > 50)
    }

    @Test(arguments: [false, true])
    func aPacketLargerThanTheMTUIsRefused(v6: Bool) throws {
        var link = try VirtualLink(.link(Conditions(), mtu: 600))
        link.send(.up(TestPacket.udp(1, 2, [UInt8](repeating: 0, count: 600)), v6: v6))
        let arrivals = link.finish()
        #expect(arrivals.map(\.end) == [.client])
        let packet = try #require(arrivals.first?.packet)
        guard case .icmp(let type, let code, let rest) = packet.body else {
            Issue.record("an ICMP error is expected: \(packet)")
            return
        }
        #expect(v6 ? (type, code) == (2, 0) : (type, code) == (3, 4))
        #expect(Array(rest[2..<4]) == be16(600))
        #expect(link.loop.summary().tooBigPackets == 1)
    }

    @Test func aLinkWithoutFreeMemoryDropsAndGoesOn() throws {
        var limits = PacketLimits()
        limits.packetBytes = 1
        var link = try VirtualLink(.link(Conditions(delay: .seconds(1))), limits: limits)
        let capacity = link.loop.slab.capacity
        for index in 0..<capacity + 10 { link.send(datagram(index)) }
        #expect(link.finish().count == capacity)
        let counters = link.loop.summary()
        #expect(counters.overflowedPackets == 10 && counters.link.downlink.offeredPackets == capacity + 10)
        link.send(datagram(1))
        #expect(link.finish().count == 1)
    }
}
