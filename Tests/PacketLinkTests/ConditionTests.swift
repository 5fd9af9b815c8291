import LinkModel
import Testing

@testable import PacketLink

/// Profiles over time, and changes of a link that is up.
@Suite struct ConditionTests {
    private func datagram(_ index: Int, bytes: Int = 1500) -> TestPacket {
        .down(TestPacket.udp(9, 10, [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: bytes - 28)))
    }

    private func delays(_ profile: Profile, at times: [Int], _ change: (inout VirtualLink, Int) -> Void = { _, _ in })
        throws -> [Duration]
    {
        var link = try VirtualLink(profile)
        for time in times {
            link.run(until: .milliseconds(time))
            change(&link, time)
            link.send(datagram(time), at: .milliseconds(time))
        }
        return zip(link.finish(within: .seconds(10)), times).map { $0.at - .milliseconds($1) }
    }

    private var stepping: Profile {
        var profile = Profile(name: "steps")
        let later = LinkConditions(downlink: Conditions(delay: .milliseconds(30)))
        profile.changes = [.init(at: .milliseconds(100), conditions: later)]
        profile.repeatsEvery = .milliseconds(200)
        return profile
    }

    @Test func aProfileIsFollowedOverTime() throws {
        let expected = [0, 0, 30, 30, 0, 30].map { Duration.milliseconds($0) }
        #expect(try delays(stepping, at: [0, 99, 100, 150, 200, 301]) == expected)
    }

    @Test func aStallHoldsPacketsUntilItsEnd() throws {
        var profile = Profile(name: "stalls")
        profile.stall = .init(period: .milliseconds(100), length: .milliseconds(40))
        let expected = [0, 30, 0, 20].map { Duration.milliseconds($0) }
        #expect(try delays(profile, at: [59, 70, 101, 180]) == expected)
    }

    @Test func setConditionsHoldUntilTheLinkIsReleased() throws {
        let fixed = LinkConditions(downlink: Conditions(delay: .milliseconds(5)))
        let expected = [0, 5, 5, 30].map { Duration.milliseconds($0) }
        #expect(
            try delays(stepping, at: [0, 50, 120, 310]) { link, time in
                if time == 50 { _ = link.loop.take(.conditions(fixed), at: link.now) }
                if time == 310 { _ = link.loop.take(.own, at: link.now) }
            } == expected)
    }

    @Test func aProfileThatIsSetStartsThen() throws {
        let expected = [0, 0, 30].map { Duration.milliseconds($0) }
        let profile = stepping
        #expect(
            try delays(.open, at: [0, 50, 151]) { link, time in
                if time == 50 { _ = link.loop.take(.profile(profile, since: link.now), at: link.now) }
            } == expected)
    }

    @Test(arguments: [false, true]) func aTraceDeliversWhatItSays(isLive: Bool) throws {
        var profile = Profile(name: "trace")
        profile.downlinkTrace = try DeliveryTrace(mahimahi: "10\n10\n30\n40\n")
        var link = try VirtualLink(isLive ? .open : profile)
        if isLive { _ = link.loop.take(.profile(profile, since: link.now), at: link.now) }
        for index in 0..<10 { link.send(datagram(index)) }
        let expected = [10, 10, 30, 40, 50, 50, 70, 80, 90, 90].map { Duration.milliseconds($0) }
        #expect(link.finish().map(\.at) == expected)
    }

    /// Changes from an open link to a shaped one and back.
    @Test func changesKeepTheOrderAndLoseNothing() throws {
        var link = try VirtualLink(.open)
        let steps = [
            LinkConditions(downlink: Conditions(delay: .milliseconds(20))), LinkConditions(),
            LinkConditions(downlink: Conditions(rate: BitRate(bitsPerSecond: 10_000_000))), LinkConditions(),
        ]
        var sent: [[UInt8]] = []
        for index in 0..<400 {
            if index.isMultiple(of: 25) { _ = link.loop.take(.conditions(steps[index / 25 % 4]), at: link.now) }
            sent.append(datagram(index).bytes)
            link.send(datagram(index), at: .microseconds(500 * index))
        }
        #expect(link.finish().map(\.bytes) == sent)
        let counters = link.loop.summary().link.downlink
        #expect(counters.deliveredPackets == 400 && counters.offeredPackets == 400 && counters.wireBytes == 600_000)
    }

    @Test func theMeterCountsBytesOverTime() throws {
        var link = try VirtualLink(.link(Conditions(rate: BitRate(bitsPerSecond: 12_000_000))))
        for index in 0..<50 { link.send(datagram(index)) }
        _ = link.finish(within: .seconds(1))
        let samples = link.loop.meter.samples
        #expect(samples.count >= 5 && samples.last?.totals.downlink == PacketTotals(wire: 75_000, payload: 73_600))
        for (earlier, later) in zip(samples, samples.dropFirst()) {
            let bits = Double(later.totals.downlink.wire - earlier.totals.downlink.wire) * 8
            #expect(bits / earlier.at.duration(to: later.at).seconds <= 12_000_000 * 1.11)
        }
        #expect(link.loop.nextDuty == nil)
    }
}
