import NIOCore
import Testing

@testable import LinkProbe

@Suite(.serialized) struct MeasureTests {
    @Test func measuresWhatTheRelayIsSetTo() async throws {
        let uplink = Pace(rate: 200_000, delay: .milliseconds(40))
        let downlink = Pace(rate: 1_000_000, delay: .milliseconds(20))
        let result = try await PacedRelay.run(uplink: uplink, downlink: downlink) { relay in
            try await withProbeServer { server in
                try await LinkProbe.measure(
                    through: .proxy(host: "127.0.0.1", port: relay.port), target: server, plan: ProbePlan(echoes: 9))
            }
        }
        // A message takes 0.8 ms at 200 kbit/s.
        #expect(abs(result.uplinkDelay.minimum - .milliseconds(40.8)) < .milliseconds(3), "\(result.uplinkDelay)")
        #expect(abs(result.downlinkDelay.minimum - .milliseconds(20)) < .milliseconds(3), "\(result.downlinkDelay)")
        #expect(abs(result.roundTrip.minimum - .milliseconds(60.8)) < .milliseconds(6), "\(result.roundTrip)")
        #expect(result.uplinkDelay.count == 9)
        let (down, up) = (try #require(result.download.rate), try #require(result.upload.rate))
        #expect(abs(down / 1_000_000 - 1) < 0.03, "\(result.download)")
        #expect(abs(up / 200_000 - 1) < 0.03, "\(result.upload)")
        #expect(abs(try #require(result.download.wireRate) / down - 1500.0 / 1448) < 1e-9)
        #expect(result.download.unverified == nil)
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
        let result = try await PacedRelay.run(uplink: slow, downlink: slow) { relay in
            try await withProbeServer { server in
                try await LinkProbe.measure(
                    through: .proxy(host: "127.0.0.1", port: relay.port), target: server, plan: plan)
            }
        }
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
