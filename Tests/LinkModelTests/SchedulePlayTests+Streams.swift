import LinkModel
import Testing

/// Schedules that a stream meets.
extension SchedulePlayTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `a stream meets its recorded schedule again`(seed: UInt64) throws {
        var profile = Profile.veryBad
        profile.conditions.downlink.corrupt = Self.percent
        profile.conditions.downlink.jitter = Jitter(amount: .milliseconds(100))
        var driver = StreamDriver(profile, seed: seed)
        let first = driver.download(200_000)
        let header = "schedule version=1 seed=\(seed)\n"
        let schedule = try FaultSchedule(parsing: header + driver.decisions.joined(separator: "\n"))
        var player = StreamDriver(profile, seed: 99, schedule: schedule)
        let second = player.download(200_000)
        #expect(driver.decisions == player.decisions)
        #expect(
            first != nil && first?.complete == second?.complete && driver.deliveries.count == player.deliveries.count)
        #expect(player.link.unmetFaults == 0)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `the same first transmissions are dropped, whatever is sent again`(seed: UInt64) throws {
        var driver = StreamDriver(.lte.losing(percent: 2, direction: .downlink), seed: seed)
        _ = driver.download(1_000_000)
        let recorded = try FaultSchedule(parsing: driver.decisions.joined(separator: "\n"))
        let others = [Profile.threeG, .dsl, .veryBad, .lte.losing(percent: 9, direction: .downlink)]
        for profile in others {
            var player = StreamDriver(profile, seed: seed + 7, schedule: recorded)
            #expect(player.download(1_000_000) != nil)
            let met = try FaultSchedule(parsing: player.decisions.joined(separator: "\n"))
            #expect(met.firstTransmissionDrops.digest == recorded.firstTransmissionDrops.digest, "\(profile.name)")
        }
        #expect(recorded.firstTransmissionDrops.lines.count > 5)
    }

    @Test(arguments: [0, 1, 1448, 99_999, 100_000])
    func `a stream is cut at its byte`(offset: Int) throws {
        let schedule = try FaultSchedule(parsing: "L2 conn=/a down off=\(offset) cut")
        var driver = StreamDriver(.threeG, schedule: schedule)
        #expect(driver.download(100_000) == nil)
        #expect(driver.deliveries.map(\.count).reduce(0, +) == offset)
        #expect(driver.decisions == ["L2 conn=/a down off=\(offset) cut"])
        #expect(driver.resets == [.client])
        #expect(driver.link.unmetFaults == 0)
    }

    @Test func `a stream that was cut is reset at both ends`() throws {
        let schedule = try FaultSchedule(parsing: "L2 conn=* up off=100 cut")
        var link = StreamLink(profile: .threeG, seed: 1, start: Self.origin, schedule: schedule)
        let id = link.open(key: "/a", at: Self.origin)
        link.send(200, from: .client, on: id, at: Self.origin)
        var resets: [End] = []
        var delivered = 0
        while let due = link.nextDeadline {
            while let event = link.poll(at: due) {
                if case .reset(id, let end, _) = event { resets.append(end) }
                if case .delivered(id, .host, let count, _) = event { delivered += count }
            }
        }
        #expect(resets == [.host, .client] && delivered == 100)
    }

    @Test func `a stream does not notice copies, and notices a late or an early packet`() throws {
        func time(_ line: String) throws -> Duration {
            var driver = StreamDriver(.threeG, schedule: try FaultSchedule(parsing: line))
            let outcome = driver.download(100_000)
            return try #require(outcome).complete
        }
        let plain = try time("")
        #expect(try time("L2 conn=* down off=0 duplicate") == plain)
        #expect(try time("L2 conn=* up off=0 delay=300ms") == plain + .milliseconds(300))
        #expect(try time("L2 conn=/a up syn drop") > plain + .milliseconds(900))
        #expect(try time("L2 conn=/b up syn drop") == plain)
    }

    @Test func `a reset is not lost by chance, because it is not sent again`() throws {
        var profile = Profile.threeG
        profile.conditions.uplink.corrupt = .one
        profile.conditions.uplink.loss = .random(.one)
        for (schedule, ends) in [(nil, [End.host]), (try FaultSchedule(parsing: "L2 conn=* up rst drop"), [])] {
            var link = StreamLink(profile: profile, seed: 1, start: Self.origin, schedule: schedule)
            let id = link.open(key: "/a", at: Self.origin)
            link.reset(from: .client, on: id, at: Self.origin)
            var resets: [End] = []
            while let due = link.nextDeadline, due < Instant(nanoseconds: 1_000_000_000) {
                while let event = link.poll(at: due) {
                    if case .reset(id, let end, _) = event { resets.append(end) }
                }
            }
            #expect(resets == ends)
        }
    }
}
