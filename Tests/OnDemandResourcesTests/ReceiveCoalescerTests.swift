import Testing

@testable import ResourceLoading

/// A download that is not urgent is read in few reads, and takes no longer.
@Suite(.timeLimit(.minutes(1)))
struct ReceiveCoalescerTests {
    /// What a reader in virtual time does with packets that arrive at given moments.
    private struct Reading {
        var looks = 0
        /// The most bytes that one read found.
        var most: Int64 = 0
        /// How long the last byte waited, in nanoseconds.
        var late: Int64 = 0
        /// The longest that one of the `first` packets waited, in nanoseconds.
        var lateAtFirst: Int64 = 0

        init(_ arrivals: [Int64], first: Int = 0) {
            let packet: Int64 = 1448
            var coalescer = ReceiveCoalescer()
            var (now, next) = (Int64(0), 0)
            while next < arrivals.count {
                let rest = coalescer.rest(left: Int64(arrivals.count - next) * packet)
                now = rest > 0 ? now + rest : max(now, arrivals[next])
                if next < first { lateAtFirst = max(lateAtFirst, now - arrivals[next]) }
                var found: Int64 = 0
                while next < arrivals.count, arrivals[next] <= now { (found, next) = (found + packet, next + 1) }
                looks += 1
                most = max(most, found)
                coalescer.took(found, at: now)
            }
            late = now - (arrivals.last ?? 0)
        }
    }

    /// The arrival times of ten seconds of packets at this rate.
    private func steady(_ bitsPerSecond: Int64, from start: Int64 = 0) -> [Int64] {
        let gap = 1448 * 8_000_000_000 / bitsPerSecond
        return (1...10_000_000_000 / gap).map { start + $0 * gap }
    }

    @Test(arguments: [(780_000, 0.5), (5_000_000, 0.13), (20_000_000, 0.1), (50_000_000, 0.1), (100_000_000, 0.16)])
    func manyPacketsAreReadAtOnce(rate: Int64, share: Double) {
        let arrivals = steady(rate)
        let reading = Reading(arrivals)
        #expect(reading.looks < Int(share * Double(arrivals.count)), "\(reading.looks) of \(arrivals.count)")
        // All of it fits into the first window of a connection.
        #expect(reading.most < 64 << 10)
        // At the end, the wait is below 2 ms or half a packet's time.
        #expect(reading.late < max(2_000_000, 1448 * 4_000_000_000 / rate))
    }

    @Test func aFastLinkIsReadAtOnce() {
        let arrivals = steady(1_000_000_000)
        #expect(Reading(arrivals, first: arrivals.count).lateAtFirst == 0)
    }

    /// A slow start: bursts at the full rate, each twice as long as the one before, 120 ms apart.
    @Test func aLinkThatGainsSpeedIsReadAtOnce() {
        let gap: Int64 = 231_680
        var arrivals: [Int64] = []
        for round in 0..<6 {
            let start = Int64(round + 1) * 120_000_000
            for packet in 0..<Int64(10 << round) { arrivals.append(start + packet * gap) }
        }
        let count = arrivals.count
        let reading = Reading(arrivals + steady(50_000_000, from: arrivals.last ?? 0), first: count)
        #expect(reading.lateAtFirst == 0)
        #expect(reading.most < 64 << 10)
        #expect(reading.late < 2_000_000)
        #expect(reading.looks < count + 5000)
    }

    /// A link that was fast, stands still for long and comes back slow is not read packet by packet any more.
    @Test func aFastRateIsForgotten() {
        let fast: [Int64] = (1...2000).map { $0 * 11_584 }
        let slow: [Int64] = (1...500).map { $0 * 12_000_000 + 2_000_000_000 }
        #expect(Reading(fast + slow).looks - Reading(fast).looks < 350)
    }

    @Test func nothingRestsBeforeARateIsKnown() {
        var coalescer = ReceiveCoalescer()
        #expect(coalescer.rest(left: 1 << 30) == 0)
        coalescer.took(1448, at: 5_000_000)
        #expect(coalescer.rest(left: 1 << 30) == 0)
    }

    // MARK: - In a loader

    private let pack = TestPack(
        name: "p", body: content(50_000), tags: ["t"], hasDigest: false, hasSize: false, storedSize: 50_000)

    /// A host of which at most 10,000 bytes are read before the reader rests, for an hour unless it is woken.
    private func withResting(
        _ body: (Fixture, ResourceLoader, ResourceLoader.RequestKey, AsyncStream<Int>) async throws -> Void
    ) async throws {
        let rest = Gate()
        try await Fixture.run([pack]) {
            $0.transfers.coalescer = ReceiveCoalescer(enough: .max, longest: .seconds(3600), beginning: 0, spell: .zero)
            $0.transfers.patience = .seconds(3600)
        } script: { _, pack in
            pack.map(\.body).map { body in
                [
                    // Without a length, which would show how near the end is.
                    .head(200, "ETag: \"v1\"", "Connection: close")
                ]
                    + (0..<20).flatMap { part -> [ScriptedServer.Step] in
                        [.send(Array(body[part * 500..<part * 500 + 500])), .sleep(microseconds: 40_000)]
                    }
                    + [.wait(rest)]
                    // So far apart that a reader woken only to report progress, each 50 ms, rests again.
                    + [10_000..<20_000, 20_000..<30_000, 30_000..<50_000].flatMap { part -> [ScriptedServer.Step] in
                        [.send(Array(body[part])), .sleep(microseconds: 200_000)]
                    }
                    + [.close]
            }
        } _: { fixture in
            try await fixture.withLoader { loader in
                async let arrived: Void = fixture.log.next {
                    $0.kind == .progress && $0.completed ?? 0 >= 1000
                }
                let (answers, answer) = AsyncStream.makeStream(of: Int.self)
                let key = loader.begin(id: "r", tags: ["t"]) { answer.yield($0?.code ?? 0) }
                await arrived
                try await Task.sleep(for: .milliseconds(1500))
                rest.open()
                // Time enough for all bytes to arrive, if they were read.
                try await Task.sleep(for: .milliseconds(300))
                #expect(fixture.log.all.contains { $0.kind == .received && $0.pack == "p" } == false)
                try await body(fixture, loader, key, answers)
            }
        }
    }

    @Test func aDownloadThatBecomesUrgentIsReadAtOnce() async throws {
        try await withResting { fixture, loader, key, answers in
            loader.setPriority(.urgent, of: key)
            #expect(await answers.first { _ in true } == 0)
            #expect(fixture.stored(pack) == pack.body)
            loader.end(key)
        }
    }

    @Test func aCancelEndsTheWaitAtOnce() async throws {
        try await withResting { _, loader, key, answers in
            loader.cancel(key)
            #expect(await answers.first { _ in true } == 3072)
        }
    }
}
