import LinkModel
import ProxyLink
import Testing

/// Fault schedules on a real proxy.
@Suite(.timeLimit(.minutes(1)))
struct ScheduleTests {
    private static let request = "GET /pack HTTP/1.1\r\nHost: packs.test\r\n\r\n"

    @Test(arguments: [Profile.open, .link(rate: 40_000_000, delay: .milliseconds(2))])
    func aConnectionIsCutAtItsByte(profile: Profile) async throws {
        let schedule = try FaultSchedule(parsing: "L2 conn=/pack down off=100000 cut")
        try await PeerListener.with { listener in
            try await withTestLink(profile, to: listener, schedule: schedule) { link in
                let client = try await link.connect()
                try await client.send(Self.request)
                let host = try await listener.accept()
                _ = await host.receive(Self.request.utf8.count)
                // An RST in the middle of a write makes the write fail.
                let isSent = (try? await host.send(pattern(300_000))) != nil
                let (bytes, ending) = await client.receiveAll()
                #expect(bytes == pattern(100_000) && ending == .reset)
                let end = await host.receiveAll().ending
                #expect(end == .reset || !isSent)
                let cause = await link.event { if case .closed(_, _, let cause) = $0.kind { cause } else { nil } }
                #expect(cause == .linkReset)
                let record = try await link.record()
                #expect(record.schedule.lines == schedule.lines && record.unmet == 0)
            }
        }
    }

    @Test func aRecordedScheduleReplays() async throws {
        let profile = Profile.link(rate: 20_000_000, delay: .milliseconds(2), loss: Ratio(partsPerBillion: 30_000_000))
        let first = try await transfer(over: profile, seed: 5, nil)
        let text = first.schedule.text
        #expect(first.schedule.firstTransmissionDrops.lines.count > 3)
        #expect(first.seed == 5 && first.profile == profile.fingerprint)
        let again = try await transfer(over: profile, seed: 6, try FaultSchedule(parsing: text))
        #expect(again.seed == 5)
        #expect(
            again.schedule.firstTransmissionDrops.digest == first.schedule.firstTransmissionDrops.digest)
    }

    @Test func aScheduleWithoutPacketFaultsLeavesAnOpenLinkDirect() async throws {
        let schedule = try FaultSchedule(parsing: "link outage after=1h")
        try await PeerListener.with { listener in
            try await withTestLink(.open, to: listener, schedule: schedule) { link in
                let client = try await link.connect()
                try await client.send("a")
                #expect(await (try listener.accept()).receive(1) == [0x61])
                #expect(try await link.counters().relayed.uplink == 1)
            }
        }
    }

    /// The record of a link that transfers 400 kB through a reverse listener.
    private func transfer(over profile: Profile, seed: UInt64, _ schedule: FaultSchedule?) async throws -> FaultRecord {
        try await PeerListener.with { listener in
            try await withTestLink(profile, to: listener, seed: seed, schedule: schedule) { link in
                let client = try await link.connect()
                try await client.send(Self.request)
                let host = try await listener.accept()
                _ = await host.receive(Self.request.utf8.count)
                try await host.send(pattern(400_000))
                #expect(await client.receive(400_000) == pattern(400_000))
                return try await link.record()
            }
        }
    }
}
