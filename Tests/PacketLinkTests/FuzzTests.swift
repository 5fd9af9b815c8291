import LinkModel
import Testing

@testable import PacketLink

/// Any bytes from a device: they do not stop the link, and no memory is lost.
@Suite(.sideBySide) struct FuzzTests {
    /// A packet that is valid, broken in one of many ways, or made of noise.
    private func packet(_ random: inout SeededGenerator) -> [UInt8] {
        let near = UInt32.random(in: 0...5000, using: &random)
        var noise = (0..<Int.random(in: 1...120, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 { noise = Array("GET /\(near % 7)?x HTTP/1.1\r\n".utf8) + noise }
        guard Int.random(in: 0..<8, using: &random) > 0 else { return noise }
        let ports = (0..<2).map { _ in [53, 80, 443, 1000].randomElement(using: &random) ?? 1 }
        let flags = UInt8.random(in: 0...31, using: &random)
        let sequence = Bool.random(using: &random) ? near : UInt32.random(in: 0...UInt32.max, using: &random)
        let body: TestPacket.Body =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: TestPacket.udp(ports[0], ports[1], noise)
            case 1: .icmp(type: UInt8.random(in: 0...255, using: &random), code: flags, rest: noise)
            default: TestPacket.tcp(ports[0], ports[1], seq: sequence, ack: near, flags: flags, noise)
            }
        let v6 = Bool.random(using: &random)
        var bytes = (Bool.random(using: &random) ? TestPacket.up(body, v6: v6) : .down(body, v6: v6)).bytes
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random)))
        }
        return bytes
    }

    private func conditions(_ random: inout SeededGenerator) -> LinkConditions {
        func one() -> Conditions {
            func ratio() -> Ratio {
                Bool.random(using: &random) ? .zero : .percent(Int64.random(in: 0...100, using: &random))
            }
            return Conditions(
                rate: Bool.random(using: &random)
                    ? nil : BitRate(bitsPerSecond: .random(in: 1000...10_000_000, using: &random)),
                delay: .milliseconds(Int.random(in: 0...200, using: &random)), loss: .random(ratio()),
                duplicate: ratio(), reorder: ratio(), corrupt: ratio())
        }
        if Int.random(in: 0..<4, using: &random) == 0 { return LinkConditions() }
        return LinkConditions(
            downlink: one(), uplink: one(),
            offline: ([nil] + OfflineKind.allCases).randomElement(using: &random) ?? nil,
            isHeld: Int.random(in: 0..<5, using: &random) == 0,
            dnsDelay: .milliseconds(Int.random(in: 0...50, using: &random)),
            mtu: [100, 576, 1500].randomElement(using: &random) ?? 1500)
    }

    /// A schedule with all effects, on packets of all kinds.
    private static let list = """
        L2 conn=* up off=100 len=100000 tx=* drop
        L2 conn=* down off=0 len=200000 tx=1 duplicate
        L2 conn=* down off=2000 delay=300ms
        L2 conn=* up off=3000 corrupt@0.5
        L2 conn=* down off=4000 reorder
        L2 conn=/3 up off=0 cut
        L2 conn=5 down syn tx=* drop
        L2 conn=* up rst corrupt@0.9
        L2 conn=* down ack=4000 tx=* drop
        L2 conn=* up packet=15 duplicate
        L2 conn=2 down off=1000 cut
        """

    @Test(arguments: 1...20)
    func nothingStopsTheLink(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        var limits = PacketLimits()
        limits.flows = 16
        limits.heldQueries = 8
        limits.packetBytes = 1
        let recorder = try CaptureWriter(PacketCapture(path: "/dev/null", limit: 1 << 20))
        defer { _ = recorder.finish() }
        var link = try VirtualLink(
            .open, seed: seed, schedule: seed.isMultiple(of: 2) ? nil : FaultSchedule(parsing: Self.list),
            limits: limits,
            recorder: recorder)
        var time = Duration.zero
        for step in 0..<4000 {
            if step.isMultiple(of: 100) { _ = link.loop.take(.conditions(conditions(&random)), at: link.now) }
            time += .microseconds(Int.random(in: 0...2000, using: &random))
            link.send(packet(&random), from: Bool.random(using: &random) ? .client : .host, at: time)
            if step.isMultiple(of: 500) { _ = link.takeEvents() }
        }
        let counters = link.loop.summary()
        #expect(counters.known.count <= 16 && counters.flows > 16 && counters.malformedPackets > 0)
        _ = link.loop.take(.conditions(LinkConditions()), at: link.now)
        _ = link.finish()
        #expect(link.loop.slab.used == 0)
        link.send(.up(TestPacket.udp(1, 2, [1])))
        #expect(link.finish().map(\.packet) == [.up(TestPacket.udp(1, 2, [1]))])
    }

    @Test func everyCutOfAPacketIsRead() {
        let bodies: [TestPacket.Body] = [
            TestPacket.udp(1, 53, [1, 2, 3]), TestPacket.tcp(1, 2, seq: 3, flags: 2, [4]),
            .icmp(type: 8, code: 0, rest: [1, 2, 3, 4]),
        ]
        for body in bodies {
            for v6 in [false, true] {
                let whole = TestPacket.up(body, v6: v6).bytes
                for count in 0..<whole.count {
                    let isRead = PacketHeader(Array(whole[..<count]).span) != nil
                    #expect(!isRead)
                }
                let length = PacketHeader(whole.span)?.length
                #expect(length == whole.count)
            }
        }
    }

    /// Hop-by-hop, routing, destination options and a fragment header before UDP.
    @Test func extensionHeadersAreSkipped() throws {
        let whole = TestPacket.up(TestPacket.udp(7, 53, [1, 2, 3]), v6: true).bytes
        for isLater in [false, true] {
            let extensions: [UInt8] =
                [43, 0, 0, 0, 0, 0, 0, 0] + [60, 1] + [UInt8](repeating: 0, count: 14) + [44, 0, 0, 0, 0, 0, 0, 0]
                + [17, 0, 0, isLater ? 8 : 1, 0, 0, 0, 1]
            var bytes = Array(whole[..<40]) + extensions + whole[40...]
            bytes[6] = 0
            bytes.replaceSubrange(4..<6, with: be16(bytes.count - 40))
            let read = PacketHeader(bytes.span)
            let header = try #require(read)
            #expect(header.transport == 17 && header.isLaterFragment == isLater)
            #expect(header.destinationPort == (isLater ? 0 : 53))
            #expect(header.isNameQuery == !isLater)
        }
    }
}
