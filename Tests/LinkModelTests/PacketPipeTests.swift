import LinkModel
import Testing

@Suite struct PacketPipeTests {
    @Test(arguments: [1, 7, 780, 33_333, 1_000_000] as [Int64])
    func `a rate is never exceeded over any window, and is reached`(kilobits: Int64) {
        var conditions = LinkConditions(downlink: Conditions(rate: BitRate(bitsPerSecond: kilobits * 1000)))
        conditions.downlink.queue = .packets(5000)
        let deliveries = run(conditions, packets: (0..<2000).map { _ in (0, 100 + Int(kilobits) % 1400) })
        let size = 100 + Int(kilobits) % 1400
        for width in [1, 2, 10, 500, 1999] {
            for first in stride(from: 0, to: deliveries.count - width, by: 37) {
                let time = deliveries[first].at.duration(to: deliveries[first + width].at)
                let ideal = Duration.nanoseconds(Int64(width * size) * 8_000_000 / kilobits)
                #expect(time >= ideal - .nanoseconds(1))
                #expect(time <= ideal + .nanoseconds(1), "no drift over \(width) packets")
            }
        }
    }

    @Test func `jitter keeps the order and stays within its bounds`() {
        let delay = Duration.milliseconds(50)
        for distribution in Jitter.Distribution.allCases {
            let jitter = Jitter(amount: .milliseconds(20), distribution: distribution)
            let conditions = LinkConditions(downlink: Conditions(delay: delay, jitter: jitter))
            let deliveries = run(conditions, packets: (0..<5000).map { (Int64($0) * 30_000_000, 100) })
            #expect(deliveries.map(\.token) == (0..<5000).map(UInt64.init))
            let delays = deliveries.map { $0.at.nanoseconds - Int64($0.token) * 30_000_000 }
            let widest: Int64 = distribution == .uniform ? 20_000_000 : 60_000_000
            #expect(delays.allSatisfy { $0 >= 0 && $0 <= 50_000_000 + widest + 30_000_000 })
            let mean = Double(delays.reduce(0, +)) / 5000
            #expect(abs(mean - 50e6) < 4e6, "the mean delay stays: \(mean / 1e6) ms")
            #expect(Set(delays).count > 4000)
        }
    }

    @Test func `reordering lets a share overtake, and nothing is lost`() {
        let conditions = LinkConditions(
            downlink: Conditions(delay: .milliseconds(50), reorder: Ratio(partsPerBillion: 100_000_000)))
        let deliveries = run(conditions, packets: (0..<5000).map { (Int64($0) * 1_000_000, 100) })
        let overtaking = deliveries.filter { $0.at.nanoseconds == Int64($0.token) * 1_000_000 }.count
        #expect(Set(deliveries.map(\.token)).count == 5000)
        #expect((400...600).contains(overtaking))
    }

    @Test func `duplicates and corruption keep to their shares`() {
        var conditions = LinkConditions()
        conditions.downlink.duplicate = Ratio(partsPerBillion: 50_000_000)
        conditions.downlink.corrupt = Ratio(partsPerBillion: 20_000_000)
        let deliveries = run(conditions, packets: (0..<10_000).map { (Int64($0) * 1000, 100) })
        #expect((400...600).contains(deliveries.count - 10_000))
        let corrupt = deliveries.compactMap(\.corruptAt)
        #expect((130...290).contains(corrupt.count))
        #expect(corrupt.allSatisfy { $0 >= 0 && $0 < 1 } && Set(corrupt).count > 100)
    }

    @Test func `every packet is delivered, lost or dropped once`() {
        var conditions = LinkConditions(downlink: Conditions(rate: BitRate(bitsPerSecond: 1_000_000)))
        conditions.downlink.loss = .random(Ratio(partsPerBillion: 100_000_000))
        conditions.downlink.queue = .bytes(ByteCount(20_000))
        var pipe = makePipe(conditions)
        var outcomes: [PacketOffer: Int] = [:]
        var delivered = 0
        for index in 0..<3000 {
            let now = Instant(nanoseconds: Int64(index) * 5_000_000)
            while pipe.poll(at: now) != nil { delivered += 1 }
            outcomes[pipe.offer(packet(index, size: 1500), at: now), default: 0] += 1
        }
        while let deadline = pipe.nextDeadline { while pipe.poll(at: deadline) != nil { delivered += 1 } }
        #expect(delivered == outcomes[.accepted(copies: 1)])
        #expect(outcomes.values.reduce(0, +) == 3000)
        #expect((230...370).contains(outcomes[.lost] ?? 0))
        #expect((outcomes[.full] ?? 0) > 1000)
    }

    @Test func `the default queue is fifty packets or the bandwidth-delay product`() {
        let short = LinkConditions(downlink: Conditions(rate: BitRate(bitsPerSecond: 1_000_000)))
        #expect(short.queueBytes(.downlink) == 75_000)
        #expect(short.queueBytes(.uplink) == nil)
        #expect(Profile.lte.conditions.queueBytes(.downlink) == 718_750)
    }

    @Test func `a change of rate spares the packet on the transmitter`() {
        var conditions = LinkConditions(downlink: Conditions(rate: BitRate(bitsPerSecond: 12_000)))
        var pipe = makePipe(conditions)
        for index in 0..<3 { _ = pipe.offer(packet(index, size: 1500), at: Instant(nanoseconds: 0)) }
        conditions.downlink.rate = BitRate(bitsPerSecond: 120_000)
        pipe.set(conditions, at: Instant(nanoseconds: 500_000_000))
        #expect(drain(&pipe).map(\.at.nanoseconds) == [1_000_000_000, 1_100_000_000, 1_200_000_000])
    }

    @Test func `a stall holds packets back, going offline drops those that wait`() {
        var conditions = LinkConditions(
            downlink: Conditions(rate: BitRate(bitsPerSecond: 12_000), delay: .milliseconds(200)))
        var pipe = makePipe(conditions)
        for index in 0..<4 { _ = pipe.offer(packet(index, size: 1500), at: Instant(nanoseconds: 0)) }
        conditions.isHeld = true
        pipe.set(conditions, at: Instant(nanoseconds: 1_100_000_000))
        #expect(pipe.poll(at: Instant(nanoseconds: 1_199_999_999)) == nil)
        #expect(pipe.poll(at: Instant(nanoseconds: 1_200_000_000))?.token == 0)
        #expect(pipe.poll(at: Instant(nanoseconds: 60_000_000_000))?.token == 1, "the one on the transmitter finishes")
        #expect(pipe.poll(at: Instant(nanoseconds: 60_000_000_000)) == nil)
        conditions.isHeld = false
        conditions.offline = .silent
        pipe.set(conditions, at: Instant(nanoseconds: 60_000_000_000))
        #expect(pipe.offer(packet(9, size: 10), at: Instant(nanoseconds: 60_000_000_001)) == .offline)
        #expect([pipe.pollEvicted(), pipe.pollEvicted(), pipe.pollEvicted()] == [2, 3, nil])
    }

    @Test func `flows take turns, and the oldest packets of the longest one pay for a full queue`() {
        var conditions = LinkConditions(downlink: Conditions(rate: BitRate(bitsPerSecond: 12_000_000)))
        conditions.downlink.queue = .bytes(ByteCount(30_000))
        var pipe = makePipe(conditions)
        for index in 0..<20 { _ = pipe.offer(packet(index, size: 1500, flow: 0), at: Instant(nanoseconds: 0)) }
        for index in 100..<104 {
            #expect(pipe.offer(packet(index, size: 1500, flow: 1), at: Instant(nanoseconds: 0)) == .accepted(copies: 1))
        }
        #expect(drain(&pipe).map(\.token).prefix(9) == [0, 4, 100, 5, 101, 6, 102, 7, 103])
        #expect(pipe.counters.droppedPackets == 3)
    }

    @Test func `a trace delivers what it recorded, and starts again`() throws {
        let trace = try DeliveryTrace(mahimahi: "# two a millisecond\n1\n1\n5\n")
        var pipe = PacketPipe(
            .downlink, conditions: LinkConditions(), trace: trace, random: KeyedRandom(seed: 1),
            start: Instant(nanoseconds: 0))
        for index in 0..<5 { _ = pipe.offer(packet(index, size: 1500), at: Instant(nanoseconds: 0)) }
        _ = pipe.offer(packet(5, size: 3000), at: Instant(nanoseconds: 0))
        #expect(drain(&pipe).map { $0.at.nanoseconds / 1_000_000 } == [1, 1, 5, 6, 6, 11])
        _ = pipe.offer(packet(6, size: 500), at: Instant(nanoseconds: 12_500_000))
        _ = pipe.offer(packet(7, size: 1000), at: Instant(nanoseconds: 12_500_000))
        #expect(drain(&pipe).map { $0.at.nanoseconds / 1_000_000 } == [15, 15])
        #expect(trace.meanRate == 7_200_000)
    }

    @Test func `a live trace holds from its beginning on, and keeps its place`() throws {
        let (base, other) = (try DeliveryTrace(mahimahi: "1"), try DeliveryTrace(mahimahi: "10"))
        var pipe = PacketPipe(
            .downlink, conditions: LinkConditions(), trace: base, random: KeyedRandom(seed: 1),
            start: Instant(nanoseconds: 0))
        func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
        let live = LiveTrace(trace: other, since: at(5))
        pipe.set(LinkConditions(), followsTrace: false, live: live, at: at(5))
        for index in 0..<2 { _ = pipe.offer(packet(index, size: 1500), at: at(6)) }
        pipe.set(LinkConditions(mtu: 1400), followsTrace: false, live: live, at: at(7))
        _ = pipe.offer(packet(2, size: 1500), at: at(8))
        #expect(drain(&pipe).map { $0.at.nanoseconds / 1_000_000 } == [15, 25, 35])
        pipe.set(LinkConditions(), at: at(40))
        for index in 3..<5 { _ = pipe.offer(packet(index, size: 1500), at: at(40)) }
        #expect(drain(&pipe).map { $0.at.nanoseconds / 1_000_000 } == [41, 42])
    }

    @Test(arguments: [("", 0), ("1\nx\n", 2), ("5\n4\n", 2), ("0\n", 0), ("1\n\n-3\n", 3), ("99999999999\n", 1)])
    func `a text that is no trace is refused with its line`(text: String, line: Int) {
        let error = #expect(throws: DeliveryTrace.Malformed.self) { try DeliveryTrace(mahimahi: text) }
        #expect(error?.line == line)
    }

    private func makePipe(_ conditions: LinkConditions) -> PacketPipe {
        PacketPipe(
            .downlink, conditions: conditions, random: KeyedRandom(seed: 1), start: Instant(nanoseconds: 0))
    }

    private func packet(_ index: Int, size: Int, flow: Int = 0) -> Packet {
        let start = Int64(index) * LossProcess.slotBytes
        return Packet(token: UInt64(index), size: size, flow: flow, bytes: start..<start + 1)
    }

    private func run(_ conditions: LinkConditions, packets: [(at: Int64, size: Int)]) -> [PacketDelivery] {
        var pipe = makePipe(conditions)
        for (index, entry) in packets.enumerated() {
            _ = pipe.offer(packet(index, size: entry.size), at: Instant(nanoseconds: entry.at))
        }
        return drain(&pipe)
    }

    private func drain(_ pipe: inout PacketPipe) -> [PacketDelivery] {
        var deliveries: [PacketDelivery] = []
        while let deadline = pipe.nextDeadline {
            while let delivery = pipe.poll(at: deadline) { deliveries.append(delivery) }
        }
        return deliveries
    }
}
