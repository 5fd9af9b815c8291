import NIOCore
import Testing

@testable import LinkProbe

@Suite(.serialized) struct MeasureTests {
    private let uplink = Pace(rate: 200_000, delay: .milliseconds(40))
    private let downlink = Pace(rate: 1_000_000, delay: .milliseconds(20))

    private func measure(_ uplink: Pace, _ downlink: Pace, _ plan: ProbePlan) async throws -> ProbeResult {
        try await PacedRelay.run(uplink: uplink, downlink: downlink) { relay in
            try await withProbeServer { server in
                try await LinkProbe.measure(
                    through: .proxy(host: "127.0.0.1", port: relay.port), target: server, plan: plan)
            }
        }
    }

    /// Measures up to three times, because other programs may keep the relay from its schedule.
    private func measure(
        _ plan: ProbePlan, until isRight: (ProbeResult) -> Bool
    ) async throws -> ProbeResult {
        for _ in 0..<2 {
            let result = try await measure(uplink, downlink, plan)
            if isRight(result) { return result }
        }
        return try await measure(uplink, downlink, plan)
    }

    @Test func delaysAreThoseOfTheRelay() async throws {
        // A message takes 0.8 ms at 200 kbit/s, and less at 1 Mbit/s.
        let areRight = { (result: ProbeResult) in
            abs(result.uplinkDelay.minimum - .milliseconds(40.8)) < .milliseconds(3)
                && abs(result.downlinkDelay.minimum - .milliseconds(20.2)) < .milliseconds(3)
        }
        let result = try await measure(ProbePlan(echoes: 9), until: areRight)
        #expect(areRight(result), "\(result)")
        #expect(result.uplinkDelay.count == 9)
        #expect(result.uplinkDelay.median >= result.uplinkDelay.minimum)
    }

    @Test func ratesAreThoseOfTheRelay() async throws {
        let areRight = { (result: ProbeResult) in
            abs((result.download.rate ?? 0) / 1_000_000 - 1) < 0.03
                && abs((result.upload.rate ?? 0) / 200_000 - 1) < 0.03
        }
        let plan = ProbePlan(
            echoes: 1, download: ProbeLoad(bytes: 150_000), upload: ProbeLoad(bytes: 25_000))
        let result = try await measure(plan, until: areRight)
        #expect(areRight(result), "\(result)")
        let (rate, wire) = (try #require(result.download.rate), try #require(result.download.wireRate))
        // Pieces that relays and reads cut smaller count as packets of their own.
        #expect(wire / rate >= 1500.0 / 1448 && wire / rate < 1.06)
        #expect(result.download.unverified == nil)
        #expect(try #require(result.upload.window) >= .milliseconds(500))
    }

    /// Six small pieces in each direction show a link of 30 kbit/s within two seconds.
    @Test func piecesShowTheRateOfASlowLink() async throws {
        // The relay charges payload alone, so headers have no bytes.
        let packet = ProbePacket(headerBytes: 0)
        let load = ProbeLoad.suited(to: 30_000, roundTrip: .zero, mayLose: false, packet: packet)
        #expect(load.pieceBytes == 562)
        let plan = ProbePlan(echoes: 1, download: load, upload: load, packet: packet)
        // The relay takes each piece by itself, as a queue would.
        let slow = Pace(rate: 30_000, readAhead: .seconds(5))
        var result = try await measure(slow, slow, plan)
        for _ in 0..<2 where abs((result.download.wireRate ?? 0) / 30_000 - 1) > 0.03 {
            result = try await measure(slow, slow, plan)
        }
        #expect(abs((result.download.wireRate ?? 0) / 30_000 - 1) < 0.03, "\(result)")
        #expect(abs((result.upload.wireRate ?? 0) / 30_000 - 1) < 0.03, "\(result)")
        #expect(result.download.bytes == 562 * 6 && result.upload.bytes == 562 * 6)
        #expect(try #require(result.download.uncertainty) < 0.005)
    }

    @Test func loopbackIsFast() async throws {
        let load = ProbeLoad(bytes: 64 << 20, shortestWindow: .milliseconds(2))
        let result = try await withProbeServer { server in
            try await LinkProbe.measure(
                through: .direct, target: server, plan: ProbePlan(download: load, upload: load))
        }
        #expect(try #require(result.download.rate) > 100_000_000)
        #expect(try #require(result.upload.rate) > 100_000_000)
        #expect(result.uplinkDelay.minimum < .milliseconds(20))
    }

    @Test func aDirectionWithoutLoadHasNoRate() async throws {
        let result = try await withProbeServer { server in
            try await LinkProbe.measure(
                through: .direct, target: server, plan: ProbePlan(upload: ProbeLoad(bytes: 1000)))
        }
        #expect(result.download.bytes == 0 && result.download.unverified == "no load was sent")
        #expect(result.upload.bytes == 1000)
    }

    @Test func tooFewBytesGiveNoRate() async throws {
        let load = ProbeLoad(bytes: 10_000)
        let result = try await withProbeServer { server in
            try await LinkProbe.measure(
                through: .direct, target: server, plan: ProbePlan(download: load, upload: load))
        }
        #expect(result.download.rate == nil && result.download.wireRate == nil)
        #expect(result.download.bytes == 10_000)
        #expect(result.upload.rate == nil)
        #expect(try #require(result.download.unverified).hasPrefix("10000 bytes in "))
    }

    /// The download is cut off, and the upload, on a connection of its own, still has time.
    @Test func deadlineEndsATransferWithWhatArrived() async throws {
        let slow = Pace(rate: 100_000)
        let load = ProbeLoad(bytes: 1 << 20, duration: .milliseconds(400))
        let plan = ProbePlan(download: load, upload: load, deadline: .milliseconds(1000))
        let start = ContinuousClock.now
        let result = try await measure(slow, slow, plan)
        #expect(ContinuousClock.now - start < .seconds(3))
        #expect(result.download.bytes > 0 && result.upload.bytes > 0)
        #expect(result.download.rate == nil && result.upload.rate == nil)
    }

    @Test func cancellingEndsAtOnce() async throws {
        try await OddServer.hollow.run { port in
            try await withProbeServer { server in
                let task = Task { [server] in
                    try await LinkProbe.measure(
                        through: .proxy(host: "127.0.0.1", port: port), target: server,
                        plan: ProbePlan(deadline: .seconds(60)))
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
