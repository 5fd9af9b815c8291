import Evidence
import LinkModel
import LinuxSupport
import PackFormat
import ProxyLink
import Synchronization
import SystemPackage
import Testing

@testable import Harness
@testable import Links
@testable import Scenarios

/// The faults of a link begin at their moment, once, and end again.
@Suite(.timeLimit(.minutes(1)))
struct LinkFaultDriverTests {
    static let profile = Profile(name: "test", conditions: LinkConditions())
    private static let packs = { @Sendable (_: String) in [PackBytes(identifier: "level.bin", size: 1000)] }

    /// A trigger, the bytes that come on another connection before the request, and the bytes at which the fault is
    /// due.
    @Test(arguments: [
        (LinkFault.Trigger.bytes(1000, .downlink), 0 as Int64, 1000 as Int64),
        (.bytes(1000, .downlink), 300, 700),
        (.packBytes(500, pack: "level.bin"), 0, 500),
        (.packBytes(500, pack: "level.bin"), 300, 500),
        (.packShare(Ratio(partsPerBillion: 400_000_000), pack: "level.bin"), 0, 400),
        (.packShare(Ratio(partsPerBillion: 400_000_000), pack: "level.bin"), 999, 400),
    ])
    func bytesTrigger(trigger: LinkFault.Trigger, before: Int64, due: Int64) async throws {
        let bench = try Bench(packs: ["level.bin": 1000])
        let content = try PreparedContent(site: .files(directory: bench.folder.appending("packs")), scheme: "http")
        let fault = LinkFault(trigger: trigger, effect: .offline(.silent), duration: nil)
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: link, packs: { content.packBytes(named: $0) })
            await driver.deliver(before, on: 1, at: 1)
            driver.requested("level.bin", at: 2)
            await driver.deliver(due - 1, on: 2, at: 3)
            #expect(driver.unplayed.count == 1)
            #expect(try await link.conditions.offline == nil)
            await driver.deliver(due, on: 2, at: 4)
            #expect(driver.unplayed.isEmpty)
            #expect(try await link.conditions.offline == .silent)
        }
    }

    @Test(
        "bytes count from the request on, even if the driver hears of the request later, and then the fault is late",
        arguments: [LinkFault.Effect.offline(.silent), .clientKilled, .deviceFull])
    func countsFromALateReportedRequest(effect: LinkFault.Effect) async throws {
        let fault = LinkFault(trigger: .packBytes(500, pack: "level.bin"), effect: effect)
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: link, packs: Self.packs)
            for (moment, total) in [(1, 300), (3, 700), (4, 900)] as [(Int64, Int64)] {
                await driver.deliver(total, at: moment)
            }
            #expect(driver.unplayed.count == 1)
            driver.requested("level.bin", at: 2)
            #expect(driver.unplayed.isEmpty && driver.played.count == 1)
            // Its moment was 4 ns after the start of the machine's clock, when the 500 bytes had arrived.
            while driver.lateness == .zero, !Task.isCancelled { await Task.yield() }
            #expect(driver.lateness >= .seconds(1))
        }
    }

    @Test(arguments: [LinkFault.Effect.clientKilled, .deviceFull])
    func strikesBehindTheLink(effect: LinkFault.Effect) async throws {
        let struck = Mutex<[LinkFault.Effect]>([])
        let fault = LinkFault(trigger: .client(.progress, 2), effect: effect)
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver(
                [fault], link: link, kill: { struck.withLock { $0.append(.clientKilled) } },
                fill: { struck.withLock { $0.append(.deviceFull) } })
            driver.reported(.progress)
            #expect(struck.withLock { $0 } == [])
            driver.reported(.progress)
            while driver.lateness == .zero, !Task.isCancelled { await Task.yield() }
            #expect(struck.withLock { $0 } == [effect])
            #expect(try await link.conditions.offline == nil)
        }
    }

    @Test("an outage lasts from when it is in force, so an end is late if the driver is")
    func noticesALateEnd() async throws {
        let fault = LinkFault(trigger: .time(.zero), effect: .offline(.silent), duration: .milliseconds(1))
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: link, packs: Self.packs)
            let start = MonotonicClock.now
            await driver.playFirst(at: start)
            try await Task.sleep(for: .milliseconds(50))
            await driver.playTimed(from: start)
            #expect(try await link.conditions.offline == nil)
            #expect(driver.lateness >= .milliseconds(30))
        }
    }

    /// A fault that is on time, and what comes before its moment, long ago: bytes of another pack, or bytes of the pack
    /// before an earlier fault whose end they would be.
    @Test(
        arguments: [
            (LinkFault.Trigger.packShare(Ratio(partsPerBillion: 0), pack: "level.bin"), nil),
            (.client(.progress, 1), .packShare(Ratio(partsPerBillion: 400_000_000), pack: "level.bin")),
        ] as [(LinkFault.Trigger, LinkFault.Trigger?)])
    func bytesOfLongAgoMakeNothingLate(trigger: LinkFault.Trigger, until: LinkFault.Trigger?) async throws {
        let fault = LinkFault(trigger: trigger, effect: .offline(.silent), duration: nil, until: until)
        let now = MonotonicClock.now
        let earlier = now - 1_000_000_000_000
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: link, packs: Self.packs)
            if until != nil { driver.requested("level.bin", at: earlier - 1) }
            await driver.deliver(500, at: earlier)
            if until == nil { driver.requested("level.bin", at: now) } else { driver.reported(.progress) }
            while driver.lateness == .zero, !Task.isCancelled { await Task.yield() }
            if until != nil { await driver.deliver(501, at: MonotonicClock.now) }
            #expect(try await (link.conditions.offline == nil) == (until != nil))
            #expect(driver.played.count == 1 && driver.lateness < .seconds(500))
        }
    }

    /// A late change makes an attempt noisy: the client met another fault than it should have.
    @Test func aLateChangeIsNoticed() async throws {
        let fault = LinkFault(trigger: .time(.zero), effect: .offline(.silent), duration: nil)
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: link)
            #expect(driver.lateness == .zero)
            await driver.playTimed(from: MonotonicClock.now - 1_000_000_000)
            #expect(driver.lateness >= .seconds(1))
        }
    }

    /// A fault at the start holds before there is a client.
    @Test func aFaultAtTheStartHoldsBeforeThereIsAClient() async throws {
        let faults = [
            LinkFault(trigger: .time(.zero), effect: .offline(.refused), duration: nil),
            LinkFault(trigger: .time(.seconds(60)), effect: .offline(.silent), duration: nil),
        ]
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver(faults, link: link)
            await driver.playFirst(at: MonotonicClock.now)
            #expect(try await link.conditions.offline == .refused)
            #expect(driver.played.map(\.fault) == [faults[0]] && driver.unplayed == [faults[1]])
        }
    }

    @Test func aTimedFaultComesAndGoes() async throws {
        let faults = [
            LinkFault(trigger: .time(.zero), effect: .offline(.refused), duration: .milliseconds(1)),
            LinkFault(trigger: .bytes(1, .downlink), effect: .offline(.silent), duration: nil),
        ]
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver(faults, link: link)
            await driver.playTimed(from: MonotonicClock.now)
            #expect(try await link.conditions.offline == nil)
            // The profile, the fault, and the profile again.
            #expect(try await link.counters().generation == 2)
            #expect(driver.unplayed.count == 1, "nothing was delivered")
        }
    }

    private static func rate(_ megabits: Int64, of name: String) -> Profile {
        let conditions = Conditions(rate: BitRate(bitsPerSecond: megabits * 1_000_000))
        return Profile(name: name, conditions: LinkConditions(downlink: conditions, uplink: conditions))
    }

    /// Outages and profiles that overlap: at the end of each, the one that began before it applies again.
    @Test func anEarlierFaultAppliesAgain() async throws {
        var steps = Self.rate(1, of: "steps")
        steps.changes = [.init(at: .milliseconds(1), conditions: Self.rate(2, of: "").conditions)]
        func until(_ bytes: Int64) -> LinkFault.Trigger { .bytes(bytes, .downlink) }
        let faults = [
            LinkFault(trigger: until(1), effect: .profile(steps), until: until(7)),
            LinkFault(trigger: until(2), effect: .offline(.silent), until: until(6)),
            LinkFault(trigger: until(3), effect: .offline(.refused), until: until(4)),
            LinkFault(trigger: until(5), effect: .profile(Self.rate(9, of: "nine")), until: until(8)),
        ]
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.rate(20, of: "own"))) { link async throws in
            let driver = LinkFaultDriver(faults, link: link)
            func conditions(at total: Int64) async throws -> LinkConditions {
                await withDiscardingTaskGroup { group in
                    driver.observe(
                        LinkEvent(
                            at: Instant(nanoseconds: 1), connection: 1,
                            kind: .delivered(direction: .downlink, total: total)),
                        in: &group)
                }
                return try await link.conditions
            }
            var first = try await conditions(at: 1)
            for _ in 0..<5000 where first == steps.conditions {
                try await Task.sleep(for: .milliseconds(1))
                first = try await link.conditions
            }
            #expect(first == steps.changes[0].conditions)
            #expect(try await conditions(at: 2).offline == .silent)
            #expect(try await conditions(at: 3).offline == .refused)
            #expect(try await conditions(at: 4).offline == .silent)
            // The ends of earlier faults do not affect the profile that began last.
            for moment in 5...7 as ClosedRange<Int64> {
                #expect(try await conditions(at: moment) == Self.rate(9, of: "").conditions, "\(moment)")
            }
            #expect(try await conditions(at: 8) == Self.rate(20, of: "").conditions)
        }
    }

    /// The changes of a profile go on during an outage, and apply when it ends.
    @Test func aProfileGoesOnDuringAnOutage() async throws {
        var steps = Self.rate(1, of: "steps")
        steps.changes = [.init(at: .milliseconds(100), conditions: Self.rate(2, of: "").conditions)]
        let faults = [
            LinkFault(trigger: .time(.zero), effect: .profile(steps)),
            LinkFault(trigger: .time(.milliseconds(20)), effect: .offline(.silent), duration: .milliseconds(150)),
        ]
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.rate(20, of: "own"))) { link async throws in
            let driver = LinkFaultDriver(faults, link: link)
            await driver.playTimed(from: MonotonicClock.now)
            #expect(try await link.conditions == steps.changes[0].conditions)
        }
    }

    @Test func progressTriggersAndEnds() async throws {
        let fault = LinkFault(
            trigger: .client(.progress, 2), effect: .offline(.silent), duration: nil, until: .client(.progress, 3))
        let others = [.client(.progress, 9), .bytes(500, .downlink)].map { LinkFault(trigger: $0, effect: .cut) }
        let timed = LinkFault(trigger: .time(.milliseconds(1)), effect: .cut)
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault, timed] + others, link: link)
            func reports(_ count: Int, until offline: OfflineKind?) async throws {
                for _ in 0..<count { driver.reported(.progress) }
                while try await link.conditions.offline != offline { await Task.yield() }
            }
            driver.reported(.progress)
            #expect(driver.played.isEmpty)
            try await reports(1, until: .silent)
            #expect(driver.played.map(\.fault) == [fault])
            driver.reported(.progress)
            driver.reported(.progress)
            #expect(try await link.conditions.offline == .silent)
            try await reports(1, until: nil)
            driver.end()
            driver.reported(.progress)
            for _ in 0..<9 { driver.reported(.progress) }
            await driver.deliver(500, at: MonotonicClock.now)
            await driver.playTimed(from: MonotonicClock.now)
            #expect(driver.unplayed == others && driver.played.map(\.fault) == [fault], "the client is gone")
        }
    }

    @Test("callbacks and reports of progress are counted apart") func callbacksAreCounted() async throws {
        let fault = LinkFault(trigger: .client(.callback, 2), effect: .offline(.silent), until: .client(.callback, 1))
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: link)
            for moment in [.progress, .progress, .callback] as [FaultSchedule.ClientMoment] { driver.reported(moment) }
            #expect(driver.played.isEmpty)
            driver.reported(.callback)
            while try await link.conditions.offline != .silent { await Task.yield() }
            driver.reported(.progress)
            #expect(try await link.conditions.offline == .silent)
            driver.reported(.callback)
            while try await link.conditions.offline != nil { await Task.yield() }
        }
    }

    @Test("a fault that waits comes this long after its moment, and not to a client that has ended")
    func waitsAfterItsMoment() async throws {
        let faults = [10, 20, 600_000].map {
            LinkFault(
                trigger: $0 == 20 ? .bytes(500, .downlink) : .client(.callback, 1), wait: .milliseconds($0),
                effect: .offline($0 == 20 ? .refused : .silent), duration: .milliseconds(1))
        }
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver(faults, link: link)
            let start = MonotonicClock.now
            await driver.deliver(500, at: start)
            #expect(driver.played.map(\.fault) == [faults[1]])
            #expect(driver.played[0].at - start >= 20_000_000)
            let called = MonotonicClock.now
            driver.reported(.callback)
            #expect(driver.unplayed == [faults[0], faults[2]])
            while driver.played.count < 2, !Task.isCancelled { await Task.yield() }
            #expect(driver.played[1].fault == faults[0] && driver.played[1].at - called >= 10_000_000)
            driver.end()
            #expect(driver.unplayed == [faults[2]])
        }
    }

    @Test(arguments: [
        (LinkFault.Trigger.bytes(500, .downlink, connection: .named("/a")), 1 as Int, Direction.downlink),
        (.bytes(500, .uplink), 2, .uplink),
        (.bytes(500, .downlink, connection: .named("#2")), 2, .downlink),
    ])
    func bytesOfOneConnection(trigger: LinkFault.Trigger, connection: Int, direction: Direction) async throws {
        let fault = LinkFault(trigger: trigger, effect: .offline(.silent), duration: nil, until: .bytes(900, .downlink))
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: link)
            func tell(_ kind: LinkEvent.Kind, _ connection: Int) async {
                await withDiscardingTaskGroup { group in
                    driver.observe(
                        LinkEvent(at: Instant(nanoseconds: 1), connection: connection, kind: kind), in: &group)
                }
            }
            for number in [1, 2] { await tell(.opened(mode: "", target: "", key: "#\(number)"), number) }
            await tell(.keyed(key: "/a", alias: nil), 1)
            await tell(.delivered(direction: direction.opposite, total: 500), connection)
            await tell(.delivered(direction: direction, total: 499), connection)
            #expect(driver.played.isEmpty)
            await tell(.delivered(direction: direction, total: 500), connection)
            #expect(try await link.conditions.offline == .silent)
            await tell(.delivered(direction: .downlink, total: 900), connection)
            #expect(try await link.conditions.offline == nil)
        }
    }
}

extension LinkFaultDriver {
    /// Tells the driver how many bytes of a connection have reached the client at a moment, and waits for the faults
    /// that begin then.
    fileprivate func deliver(_ total: Int64, on connection: Int = 1, at moment: Int64) async {
        await withDiscardingTaskGroup { group in
            let delivered = LinkEvent.Kind.delivered(direction: .downlink, total: total)
            observe(LinkEvent(at: Instant(nanoseconds: moment), connection: connection, kind: delivered), in: &group)
        }
    }
}
