import LinkModel
import Testing

@testable import PacketLink

/// Which packets get the same random decisions, regardless of everything else.
@Suite struct FlowTests {
    private static let loss = Conditions(loss: .random(.percent(20)))

    /// Runs a connection whose host sends `segments` of its byte stream, and returns the lines of the decisions.
    private func lines(
        _ segments: [Range<Int>], isn: UInt32 = 1000, seed: UInt64 = 3, port: Int = 4000,
        schedule: FaultSchedule? = nil, _ check: (inout VirtualLink) -> Void = { _ in }
    ) throws -> [String] {
        var link = try VirtualLink(.link(schedule == nil ? Self.loss : Conditions()), seed: seed, schedule: schedule)
        link.send(.up(TestPacket.tcp(port, 80, seq: 5, flags: TestPacket.syn)))
        link.send(.down(TestPacket.tcp(80, port, seq: isn, ack: 6, flags: TestPacket.syn | TestPacket.ack)))
        for segment in segments {
            let payload = [UInt8](repeating: 1, count: segment.count)
            let sequence = isn &+ 1 &+ UInt32(segment.lowerBound)
            link.send(.down(TestPacket.tcp(80, port, seq: sequence, ack: 6, flags: TestPacket.ack, payload)))
        }
        _ = link.finish()
        check(&link)
        return link.takeEvents().compactMap { event in
            guard case .decision(let decision) = event.kind, decision.kind == .data else { return nil }
            return decision.line
        }
    }

    private func segments(of total: Int, size: Int) -> [Range<Int>] {
        stride(from: 0, to: total, by: size).map { $0..<min($0 + size, total) }
    }

    @Test(arguments: [100, 536, 1000, 1448, 1460])
    func otherSegmentsLoseTheSamePlaces(size: Int) throws {
        let full = try lines(segments(of: 200_000, size: 1448))
        #expect(full.count > 15 && full.allSatisfy { $0.hasPrefix("L2 conn=1 down off=") })
        let segments = segments(of: 200_000, size: size)
        let lines = try lines(segments)
        #expect(lines.filter { $0.contains(" len=1448 ") } == full)
        // A packet that holds no start of a slot is lost as often, and decided by its own place.
        let between = segments.count { bytes in !bytes.contains { $0 % 1448 == 0 } }
        let deviation = (Double(between) * 0.2 * 0.8).squareRoot()
        #expect(abs(Double(lines.count - full.count) - 0.2 * Double(between)) <= 5 * deviation)
    }

    @Test func neitherPortsNorSequenceNumbersMatter() throws {
        let whole = segments(of: 100_000, size: 1448)
        let first = try lines(whole)
        // The sequence numbers wrap around within the stream.
        #expect(try lines(whole, isn: .max - 40_000, port: 50_000) == first)
        #expect(try lines(whole, seed: 4) != first)
    }

    @Test func aRetransmissionIsDecidedAnewAndShiftsNothing() throws {
        let whole = segments(of: 100_000, size: 1448)
        let first = try lines(whole)
        let again = try lines(whole.flatMap { [$0, $0] })
        #expect(again.filter { $0.contains(" tx=1 ") } == first)
        let second = again.filter { $0.contains(" tx=2 ") }
        #expect(second.count > 3 && second.map { $0.replacing("tx=2", with: "tx=1") } != first)
    }

    @Test func aScheduleDropsThePacketsThatItNames() throws {
        let schedule = try FaultSchedule(
            parsing: """
                L2 conn=1 down off=14480 len=1448 tx=1 drop
                L2 conn=1 down off=14480 len=1448 tx=2 drop
                """)
        let whole = segments(of: 30_000, size: 1000)
        var delivered = 0
        let met = try lines(whole + [14_000..<15_000, 14_000..<15_000], schedule: schedule) { link in
            delivered = link.loop.summary().link.downlink.deliveredPackets
            #expect(link.loop.record().unmet == 0)
        }
        #expect(met == schedule.lines.map(\.text))
        #expect(delivered == 1 + 30 + 2 - 2)
    }

    @Test func aScheduleCutsAConnectionAndKeepsItClosed() throws {
        let schedule = try FaultSchedule(parsing: "L2 conn=1 down off=5000 cut")
        _ = try lines(segments(of: 20_000, size: 1000), schedule: schedule) { link in
            _ = link.take()
            let closed = link.loop.events.contains { $0.kind == .closed(downlink: 5000, uplink: 0, cause: .linkReset) }
            #expect(closed)
            link.send(.up(TestPacket.tcp(4000, 80, seq: 6, ack: 5001, flags: TestPacket.ack)))
            let answer = link.finish()
            #expect(answer.map(\.packet) == [.down(TestPacket.tcp(80, 4000, seq: 5001, flags: TestPacket.rst))])
        }
    }

    @Test func repeatedHandshakesAreDistinguished() throws {
        var link = try VirtualLink(.link(Conditions(loss: .random(.one))))
        for _ in 0..<3 { link.send(.up(TestPacket.tcp(4000, 80, seq: 5, flags: TestPacket.syn))) }
        link.send(.up(TestPacket.tcp(4000, 80, seq: 900, flags: TestPacket.syn)))
        let events = link.takeEvents()
        let lines = events.compactMap { if case .decision(let decision) = $0.kind { decision.line } else { nil } }
        #expect(
            lines == [
                "L2 conn=1 up syn tx=1 drop", "L2 conn=1 up syn tx=2 drop", "L2 conn=1 up syn tx=3 drop",
                "L2 conn=2 up syn tx=1 drop",
            ])
        #expect(events.contains { $0.kind == .closed(downlink: 0, uplink: 0, cause: .replaced) })
    }

    @Test func flowsAreNamedByOrderWithinTheirKind() throws {
        var link = try VirtualLink(.open)
        link.send(.up(TestPacket.udp(1, 53, [1])))
        link.send(.up(TestPacket.tcp(1, 80, seq: 1, flags: TestPacket.syn)))
        link.send(.up(TestPacket.udp(2, 53, [1])))
        link.send(.up(.icmp(type: 8, code: 0, rest: [0, 9, 0, 1])))
        link.send(.down(.icmp(type: 0, code: 0, rest: [0, 9, 0, 1])))
        link.send(.up(TestPacket.tcp(2, 80, seq: 1, flags: TestPacket.syn), v6: true))
        #expect(link.loop.summary().known.map(\.name) == ["udp#1", "#1", "udp#2", "icmp#1", "#2"])
    }

    @Test func aFloodOfFirstPacketsPushesOutNoFlowInUse() throws {
        var limits = PacketLimits()
        limits.flows = 32
        var link = try VirtualLink(.open, limits: limits)
        link.send(.up(TestPacket.tcp(1, 80, seq: 1, flags: TestPacket.syn)))
        link.send(.down(TestPacket.tcp(80, 1, seq: 1, ack: 2, flags: TestPacket.syn | TestPacket.ack)))
        link.send(.up(TestPacket.tcp(1, 80, seq: 2, ack: 2, flags: TestPacket.ack)))
        for port in 0..<5000 { link.send(.up(TestPacket.udp(port, 443, [1]))) }
        let known = link.loop.summary().known
        #expect(known.count == 32 && known.first?.name == "#1" && known.last?.name == "udp#5000")
    }

    @Test func bytesAreCountedOnceAndReportedAsTheyArrive() throws {
        var link = try VirtualLink(.open)
        let start = link.now
        link.send(.up(TestPacket.tcp(1, 80, seq: 10, flags: TestPacket.syn)))
        link.send(.down(TestPacket.tcp(80, 1, seq: 20, ack: 11, flags: TestPacket.syn | TestPacket.ack)))
        for _ in 0..<2 {
            link.send(.down(TestPacket.tcp(80, 1, seq: 21, ack: 11, flags: TestPacket.ack, [1, 2, 3])))
        }
        link.send(.up(TestPacket.tcp(1, 80, seq: 11, ack: 24, flags: TestPacket.ack)), at: .milliseconds(1))
        // Data that was never sent cannot be acknowledged.
        link.send(.up(TestPacket.tcp(1, 80, seq: 11, ack: 9024, flags: TestPacket.ack)))
        link.send(.down(TestPacket.tcp(80, 1, seq: 24, ack: 11, flags: TestPacket.ack | TestPacket.fin)))
        link.send(.up(TestPacket.tcp(1, 80, seq: 11, ack: 25, flags: TestPacket.ack | TestPacket.fin)))
        link.send(.down(TestPacket.tcp(80, 1, seq: 25, ack: 12, flags: TestPacket.ack)))
        _ = link.finish()
        let events = link.takeEvents().filter { $0.connection == 1 }.dropFirst()
        #expect(
            events.map(\.kind) == [
                .delivered(direction: .downlink, total: 3), .closed(downlink: 3, uplink: 0, cause: .finished),
            ])
        // The first bytes are reported at once, because they show how long a client waited for them.
        #expect(events.first?.at == start)
        let flow = try #require(link.loop.summary().known.first)
        #expect(flow.downlink == 3 && flow.isClosed)
        #expect(link.loop.summary().link.downlink.payload == 3)
    }

    @Test func bytesAfterAGapAreCountedWhenTheGapIsFilled() throws {
        var link = try VirtualLink(.open)
        link.send(.up(TestPacket.tcp(1, 80, seq: 10, flags: TestPacket.syn)))
        link.send(.down(TestPacket.tcp(80, 1, seq: 20, ack: 11, flags: TestPacket.syn | TestPacket.ack)))
        func send(_ offset: UInt32, _ count: Int) -> Int64 {
            let payload = [UInt8](repeating: 0, count: count)
            link.send(.down(TestPacket.tcp(80, 1, seq: 21 + offset, ack: 11, flags: TestPacket.ack, payload)))
            return link.loop.summary().link.downlink.payload
        }
        let counted = [send(0, 10), send(20, 10), send(40, 5), send(20, 10), send(10, 10), send(30, 10)]
        #expect(counted == [10, 10, 10, 10, 30, 45])
        #expect(link.loop.summary().known.first?.downlink == 45)
        // An acknowledgement confirms more than was seen to arrive.
        _ = send(60, 10)
        link.send(.up(TestPacket.tcp(1, 80, seq: 11, ack: 91, flags: TestPacket.ack)))
        #expect(link.loop.summary().link.downlink.payload == 70)
    }

    /// A lookup's answer does not count as the first byte of a download.
    @Test(arguments: [(53, Int64(0)), (5353, 3)])
    func lookupsOfNamesAreNoPayload(port: Int, counted: Int64) throws {
        var link = try VirtualLink(.open)
        link.send(.up(TestPacket.udp(1000, port, [1])))
        link.send(.down(TestPacket.udp(port, 1000, [1, 2, 3])))
        _ = link.finish()
        #expect(link.loop.summary().link.downlink.payload == counted)
        #expect(link.loop.summary().known.first?.downlink == 3 && link.loop.summary().wire.downlink == 31)
        link.loop.sample(at: link.now)
        #expect(link.loop.meter.samples.last?.totals.downlink.payload == counted)
    }

    @Test func corruptPayloadIsNotCounted() throws {
        var link = try VirtualLink(.link(Conditions(corrupt: .one)))
        link.send(.up(TestPacket.udp(1, 2, [1, 2, 3])))
        _ = link.finish()
        #expect(link.loop.summary().link.uplink.payload == 0 && link.loop.summary().wire.uplink == 31)
    }

    /// Compares with noting every byte by itself.
    @Test(arguments: 1...20)
    func theEndOfContiguousBytesIsKnown(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var ranges = ReceivedRanges()
        var has = [Bool](repeating: false, count: 400)
        for _ in 0..<60 {
            let lower = Int.random(in: 0..<390, using: &random)
            let upper = Int.random(in: lower + 1...min(400, lower + 30), using: &random)
            for index in lower..<upper { has[index] = true }
            ranges.add(Int64(lower)..<Int64(upper))
            #expect(ranges.end == Int64(has.firstIndex(of: false) ?? 400))
        }
    }

    /// Compares with counting every byte by itself.
    @Test(arguments: 1...20)
    func transmissionsOfBytesAreCounted(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var ranges = ResentRanges()
        var counts = [Int](repeating: 1, count: 300)
        var start = 0
        for _ in 0..<100 {
            let lower = Int.random(in: start..<290, using: &random)
            let upper = Int.random(in: lower + 1...min(300, lower + 60), using: &random)
            for index in lower..<upper { counts[index] += 1 }
            #expect(ranges.send(Int64(lower)..<Int64(upper)) == counts[lower])
            if Int.random(in: 0..<10, using: &random) == 0 {
                start = Int.random(in: start..<200, using: &random)
                ranges.forget(before: Int64(start))
            }
        }
    }
}
