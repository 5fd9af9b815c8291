import LinkModel
import Testing

/// Schedules in use: a recorded schedule is played again, and packets that it does not name are left alone.
@Suite(.sideBySide) struct SchedulePlayTests {
    static let origin = Instant(nanoseconds: 0)
    static let percent = Ratio(partsPerBillion: 10_000_000)

    /// A downlink with every random effect.
    private static var rough: LinkConditions {
        LinkConditions(
            downlink: Conditions(
                rate: BitRate(bitsPerSecond: 8_000_000), delay: .milliseconds(20),
                jitter: Jitter(amount: .milliseconds(5)),
                loss: .gilbertElliott(.init(goodToBad: percent, badToGood: Ratio(partsPerBillion: 300_000_000))),
                duplicate: percent, reorder: percent, corrupt: percent, queue: .packets(100)))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a pipe repeats its recorded schedule`(seed: UInt64) throws {
        let packets = Self.packets(count: 3000, seed: seed)
        let recorded = Self.play(packets, over: Self.rough, seed: seed)
        let text = FaultSchedule(seed: seed, lines: recorded.lines).text
        let schedule = try FaultSchedule(parsing: text)
        #expect(schedule.lines.count > 50)
        let again = Self.play(packets, over: Self.rough, seed: 0, schedule: schedule)
        #expect(again.lines.map(\.text) == recorded.lines.map(\.text))
        #expect(again.deliveries.elementsEqual(recorded.deliveries))
        #expect(again.unmet == 0)
        #expect(Set(schedule.packetFaults.map { $0.effect.text.prefix { $0 != "@" } }).count == 4)
    }

    @Test(arguments: [1, 100, 536, 1448, 1460, 4000] as [Int64])
    func `another segmentation meets the same places`(size: Int64) throws {
        let whole = (0..<300).map { Int64($0) * 1448..<Int64($0 + 1) * 1448 }
        let loss = LinkConditions(downlink: Conditions(loss: .random(Ratio(partsPerBillion: 50_000_000))))
        let recorded = Self.play(whole.map { Self.packet($0) }, over: loss, seed: 1)
        let end: Int64 = 300 * 1448
        let pieces = stride(from: 0, to: end, by: Int(size)).map { Self.packet($0..<min($0 + size, end)) }
        let schedule = FaultSchedule(lines: recorded.lines)
        let played = Self.play(pieces, over: LinkConditions(), seed: 1, schedule: schedule)
        #expect(Set(played.lines) == Set(recorded.lines))
        #expect(recorded.lines.count > 5)
    }

    @Test func `packets that a schedule does not name are left alone`() {
        var conditions = Self.rough
        conditions.downlink.loss = .random(.one)
        conditions.downlink.jitter = nil
        conditions.downlink.queue = nil
        let packets = Self.packets(count: 50, seed: 1)
        let played = Self.play(packets, over: conditions, seed: 1, schedule: FaultSchedule())
        #expect(played.lines == [] && played.deliveries.map(\.token) == packets.map(\.token))
        #expect(played.deliveries.allSatisfy { $0.corruptAt == nil })
    }

    @Test(arguments: [
        ("drop", [0, 1, 3]), ("duplicate", [0, 1, 2, 2, 3]), ("delay=25ms", [0, 1, 3, 2]), ("reorder", [2, 0, 1, 3]),
        ("stall=25ms", [0, 1, 2, 3]),
    ])
    func `each effect applies to the packet that is named`(effect: String, order: [Int]) throws {
        for place in ["off=3000 tx=1", "off=2896 len=1448 tx=*", "packet=3"] {
            for connection in ["/a", "*"] {
                let schedule = try FaultSchedule(parsing: "L2 conn=\(connection) down \(place) \(effect)")
                let played = Self.four(schedule)
                #expect(played.deliveries.map { Int($0.token) } == order, "\(place) \(connection)")
                #expect(played.lines.count == 1 && played.unmet == 0)
            }
            for line in ["conn=/b down \(place)", "conn=/a up \(place)"] {
                let played = Self.four(try FaultSchedule(parsing: "L2 \(line) \(effect)"))
                #expect(played.deliveries.map { Int($0.token) } == [0, 1, 2, 3])
                #expect(played.lines == [] && played.unmet == (line.contains(" up ") ? 0 : 1))
            }
        }
    }

    @Test func `a late packet has its delay, and a corrupt one is wrong at its place`() throws {
        let late = Self.four(try FaultSchedule(parsing: "L2 conn=* down off=0 delay=300ms"))
        #expect(late.deliveries.last?.token == 0)
        #expect(late.deliveries.last?.at == Instant(nanoseconds: 310_000_000))
        let corrupt = Self.four(try FaultSchedule(parsing: "L2 conn=* down off=0 corrupt@0.25"))
        #expect(corrupt.deliveries.map(\.corruptAt) == [0.25, nil, nil, nil])
    }

    @Test func `a stall holds its stream from the byte on, in order, and no other stream`() throws {
        let schedule = try FaultSchedule(parsing: "L2 conn=/a down off=1448 stall=2s")
        var pipe = Self.pipe(LinkConditions(), seed: 1, schedule: schedule)
        let other = KeyedRandom(seed: 1).streamKey("/b")
        var arrivals: [(token: UInt64, at: Int64)] = []
        func poll(_ now: Instant) {
            while let delivery = pipe.poll(at: now) {
                arrivals.append((delivery.token, delivery.at.nanoseconds / 1_000_000))
            }
        }
        for index in 0..<5 as Range<Int64> {
            let now = Self.origin + .milliseconds(index * 700)
            poll(now)
            var packet = Self.packet(index * 1448..<(index + 1) * 1448)
            packet.token = UInt64(index)
            _ = pipe.offer(packet, at: now)
            (packet.token, packet.stream) = (UInt64(index + 10), other)
            _ = pipe.offer(packet, at: now)
        }
        poll(Self.origin + .seconds(9))
        // The second packet begins the stall, at 700 ms; the third and the fourth wait for its end.
        let (stalled, others) = (arrivals.filter { $0.token < 10 }, arrivals.filter { $0.token >= 10 })
        #expect(stalled.map(\.token) == [0, 1, 2, 3, 4] && stalled.map(\.at) == [0, 2700, 2700, 2700, 2800])
        #expect(others.map(\.token) == [10, 11, 12, 13, 14] && others.map(\.at) == [0, 700, 1400, 2100, 2800])
    }

    @Test func `a stretch drops all packets in it, and a transmission only its own`() throws {
        let stretch = Self.four(try FaultSchedule(parsing: "L2 conn=* down off=1448 len=2896 drop"))
        #expect(stretch.deliveries.map(\.token) == [0, 3])
        let again = Self.four(try FaultSchedule(parsing: "L2 conn=* down off=0 tx=2 drop"), transmission: 2)
        #expect(again.deliveries.map(\.token) == [1, 2, 3])
        let first = Self.four(try FaultSchedule(parsing: "L2 conn=* down off=0 tx=1 drop"), transmission: 2)
        #expect(first.deliveries.count == 4)
    }

    @Test func `packets without data are named by their kind`() throws {
        let kinds: [(PacketKind, Int64, String)] = [
            (.handshake, 0, "syn"), (.lookup, 0, "dns"), (.acknowledgement, 7, "ack=7"), (.reset, 0, "rst"),
            (.data, 0, "off=0 len=0"),
        ]
        let packets = kinds.enumerated().map { index, kind in
            Packet(token: UInt64(index), size: 52, stream: Self.stream, kind: kind.0, bytes: kind.1..<kind.1)
        }
        for (index, kind) in kinds.enumerated() {
            let line = "L2 conn=/a down \(kind.2) tx=1 drop"
            let played = Self.play(packets, over: LinkConditions(), seed: 1, schedule: try FaultSchedule(parsing: line))
            #expect(played.deliveries.map { Int($0.token) } == kinds.indices.filter { $0 != index })
            #expect(played.lines.map(\.text) == [line])
        }
    }

    @Test func `a pipe reports where a connection is cut`() throws {
        let schedule = try FaultSchedule(parsing: "L2 conn=/a down off=2000 cut")
        var pipe = Self.pipe(LinkConditions(), seed: 1, schedule: schedule)
        let offers = (0..<3).map { pipe.offer(Self.packet(Int64($0) * 1448..<Int64($0 + 1) * 1448), at: Self.origin) }
        #expect(offers == [.accepted(copies: 1), .cut, .accepted(copies: 1)])
    }

    @Test func `a long list costs a packet no more than a short one`() throws {
        let most = FaultSchedule.mostLines
        let lines = (0..<most).map { index in
            FaultSchedule.Line.packet(
                .init(
                    connection: .named("/a"), direction: .downlink,
                    place: .data(offset: Int64(index) * 100_000, length: 1448), effect: .drop))
        }
        var pipe = Self.pipe(LinkConditions(), seed: 1, schedule: FaultSchedule(lines: lines))
        let clock = ContinuousClock()
        let time = clock.measure {
            for index in 0..<20_000 {
                let start = Int64(index) * 1448
                _ = pipe.offer(Self.packet(start..<start + 1448), at: Self.origin)
                while pipe.poll(at: Self.origin) != nil {}
            }
        }
        // A search through the whole list would take minutes.
        #expect(time < .seconds(10))
        #expect(pipe.counters.lostPackets == 290)
    }
}

extension SchedulePlayTests {
    private struct Played {
        var lines: [FaultSchedule.Line] = []
        var deliveries: [Delivery] = []
        var unmet = 0
    }

    private struct Delivery: Hashable {
        var token: UInt64
        var at: Instant
        var corruptAt: Double?
    }

    private static let stream = KeyedRandom(seed: 1).streamKey("/a")

    private static func packet(_ bytes: Range<Int64>, token: UInt64 = 0) -> Packet {
        Packet(token: token, size: bytes.count + 52, stream: stream, bytes: bytes)
    }

    /// Packets of several streams and kinds, some of them sent again.
    private static func packets(count: Int, seed: UInt64) -> [Packet] {
        var random = SplitMix(state: seed)
        let keys = KeyedRandom(seed: seed)
        var next: [Int64] = [0, 0, 0]
        var sent: [Packet] = []
        for token in 0..<count {
            if random.next() % 10 == 0, let index = sent.indices.randomElement(using: &random) {
                var again = sent[index]
                again.token = UInt64(token)
                again.transmission += 1
                sent.append(again)
                continue
            }
            let stream = Int(random.next() % 3)
            let kind = PacketKind(rawValue: UInt8(random.next() % 20)) ?? .data
            let size = Int64(random.next() % 1448) + 1
            let place = kind == .data ? next[stream] : kind == .acknowledgement ? Int64(token) : 0
            let bytes = place..<place + (kind == .data ? size : 0)
            if kind == .data { next[stream] += size }
            sent.append(
                Packet(
                    token: UInt64(token), size: Int(size) + 52, flow: stream, stream: keys.streamKey("/\(stream)"),
                    kind: kind, bytes: bytes))
        }
        return sent
    }

    private static func pipe(_ conditions: LinkConditions, seed: UInt64, schedule: FaultSchedule?) -> PacketPipe {
        PacketPipe(
            .downlink, conditions: conditions, random: KeyedRandom(seed: seed, playing: schedule), start: origin,
            schedule: schedule, recordsDecisions: true)
    }

    private static func play(
        _ packets: [Packet], over conditions: LinkConditions, seed: UInt64, schedule: FaultSchedule? = nil
    ) -> Played {
        var pipe = pipe(conditions, seed: seed, schedule: schedule)
        let keys = KeyedRandom(seed: seed, playing: schedule)
        let names = Dictionary(
            ["/0", "/1", "/2", "/a"].map { (keys.streamKey($0), $0) }, uniquingKeysWith: { first, _ in first })
        var played = Played()
        func take(_ delivery: PacketDelivery) -> Delivery {
            Delivery(token: delivery.token, at: delivery.at, corruptAt: delivery.corruptAt)
        }
        for (index, packet) in packets.enumerated() {
            let now = Instant(nanoseconds: Int64(index) * 1_000_000)
            while let delivery = pipe.poll(at: now) { played.deliveries.append(take(delivery)) }
            _ = pipe.offer(packet, at: now)
            while let decision = pipe.pollDecision() {
                let name = names[decision.stream] ?? "/a"
                played.lines.append(.packet(Decision(decision, key: name, direction: .downlink).fault))
            }
        }
        while let deadline = pipe.nextDeadline {
            while let delivery = pipe.poll(at: deadline) { played.deliveries.append(take(delivery)) }
        }
        played.unmet = pipe.unmetFaults
        return played
    }

    /// Four full packets, 1 ms apart, over a link of 10 ms.
    private static func four(_ schedule: FaultSchedule, transmission: Int = 1) -> Played {
        let packets = (0..<4).map { index in
            let start = Int64(index) * 1448
            return Packet(
                token: UInt64(index), size: 1500, stream: stream, bytes: start..<start + 1448,
                transmission: transmission)
        }
        return play(
            packets, over: LinkConditions(downlink: Conditions(delay: .milliseconds(10))), seed: 1, schedule: schedule)
    }
}
