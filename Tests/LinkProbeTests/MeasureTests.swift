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

    /// Measures again, twice at most, where other programs kept the relay from its schedule.
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
                && abs(result.roundTrip.minimum - .milliseconds(61)) < .milliseconds(6)
        }
        let result = try await measure(ProbePlan(echoes: 9, bytes: 1), until: areRight)
        #expect(areRight(result), "\(result)")
        #expect(result.uplinkDelay.count == 9)
        #expect(result.uplinkDelay.median >= result.uplinkDelay.minimum)
    }

    @Test func ratesAreThoseOfTheRelay() async throws {
        let areRight = { (result: ProbeResult) in
            abs((result.download.rate ?? 0) / 1_000_000 - 1) < 0.03
                && abs((result.upload.rate ?? 0) / 200_000 - 1) < 0.03
        }
        let result = try await measure(ProbePlan(echoes: 1), until: areRight)
        #expect(areRight(result), "\(result)")
        let (rate, wire) = (try #require(result.download.rate), try #require(result.download.wireRate))
        #expect(abs(wire / rate - 1500.0 / 1448) < 1e-9)
        #expect(result.download.unverified == nil)
        #expect(try #require(result.upload.window) >= .milliseconds(500))
    }

    @Test func loopbackIsFast() async throws {
        let plan = ProbePlan(duration: .milliseconds(300), bytes: .max, shortestWindow: .milliseconds(100))
        let result = try await withProbeServer { server in
            try await LinkProbe.measure(through: .direct, target: server, plan: plan)
        }
        #expect(try #require(result.download.rate) > 100_000_000)
        #expect(try #require(result.upload.rate) > 100_000_000)
        #expect(result.uplinkDelay.minimum < .milliseconds(20))
        #expect(result.connect < .milliseconds(500))
        #expect(result.download.duration <= .milliseconds(600))
    }

    @Test func tooFewBytesAreNoRate() async throws {
        let result = try await withProbeServer { server in
            try await LinkProbe.measure(through: .direct, target: server, plan: ProbePlan(bytes: 10_000))
        }
        #expect(result.download.rate == nil && result.download.wireRate == nil)
        #expect(result.download.bytes == 10_000)
        #expect(result.upload.rate == nil)
        #expect(try #require(result.download.unverified).hasPrefix("10000 bytes in "))
    }

    @Test func deadlineEndsATransferWithWhatArrived() async throws {
        let slow = Pace(rate: 100_000)
        let plan = ProbePlan(duration: .seconds(5), deadline: .milliseconds(1000))
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
