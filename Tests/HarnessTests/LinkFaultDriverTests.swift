import LinkModel
import PackFormat
import ProxyLink
import SystemPackage
import Testing

@testable import Harness
@testable import Scenarios

/// Faults of a link come at their moment, once, and go again.
@Suite(.timeLimit(.minutes(1)))
struct LinkFaultDriverTests {
    static let profile = Profile(name: "test", conditions: LinkConditions())

    /// A trigger, bytes that have come on two connections before the pack is asked for, and from which on it is due.
    @Test(arguments: [
        (LinkFault.Trigger.bytes(ByteCount(1000)), 0 as Int64, 1000 as Int64),
        (.bytes(ByteCount(1000)), 300, 700),
        (.packBytes(ByteCount(500), pack: "level.bin"), 0, 500),
        (.packBytes(ByteCount(500), pack: "level.bin"), 300, 500),
        (.share(Ratio(partsPerBillion: 400_000_000), pack: "level.bin"), 0, 400),
        (.share(Ratio(partsPerBillion: 400_000_000), pack: "level.bin"), 999, 400),
    ])
    func bytesTrigger(trigger: LinkFault.Trigger, before: Int64, due: Int64) async throws {
        let bench = try Bench(packs: ["level.bin": 1000])
        let content = try PreparedContent(site: .files(directory: bench.folder.appending("packs")), scheme: "http")
        let fault = LinkFault(trigger: trigger, effect: .offline(.silent), duration: nil)
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: AttemptLink(link), content: content)
            func deliver(_ total: Int64, on connection: Int) async {
                await withDiscardingTaskGroup { group in
                    let event = LinkEvent(
                        at: Instant(nanoseconds: 1), connection: connection, kind: .delivered(.downlink, total: total))
                    driver.observe(event, in: &group)
                }
            }
            await deliver(before, on: 1)
            driver.requested("level.bin")
            await deliver(due - 1, on: 2)
            #expect(driver.unplayed.count == 1)
            #expect(try await link.conditions.offline == nil)
            await deliver(due, on: 2)
            #expect(driver.unplayed.isEmpty)
            #expect(try await link.conditions.offline == .silent)
        }
    }

    @Test func aTimedFaultComesAndGoes() async throws {
        let faults = [
            LinkFault(trigger: .time(.zero), effect: .offline(.refused), duration: .milliseconds(1)),
            LinkFault(trigger: .bytes(ByteCount(1)), effect: .offline(.silent), duration: nil),
        ]
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver(faults, link: AttemptLink(link), content: nil)
            await driver.playTimed()
            #expect(try await link.conditions.offline == nil)
            // The profile, the fault, and the profile again.
            #expect(try await link.counters().generation == 2)
            #expect(driver.unplayed.count == 1, "nothing was delivered")
        }
    }

    @Test func progressTriggersAndEnds() async throws {
        let fault = LinkFault(trigger: .progress(2), effect: .offline(.silent), duration: nil, until: .progress(3))
        let other = LinkFault(trigger: .progress(9), effect: .cut, duration: nil)
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault, other], link: AttemptLink(link), content: nil)
            func reports(_ count: Int, until offline: OfflineKind?) async throws {
                for _ in 0..<count { driver.progressed() }
                while try await link.conditions.offline != offline { await Task.yield() }
            }
            driver.progressed()
            #expect(driver.played.isEmpty)
            try await reports(1, until: .silent)
            #expect(driver.played.map(\.fault) == [fault])
            driver.progressed()
            driver.progressed()
            #expect(try await link.conditions.offline == .silent)
            try await reports(1, until: nil)
            driver.end()
            driver.progressed()
            for _ in 0..<9 { driver.progressed() }
            #expect(driver.unplayed == [other], "the client is gone")
        }
    }

    @Test(arguments: [
        (LinkFault.Trigger.connectionBytes(ByteCount(500), .downlink, .named("/a")), 1 as Int, Direction.downlink),
        (.connectionBytes(ByteCount(500), .uplink, .any), 2, .uplink),
        (.connectionBytes(ByteCount(500), .downlink, .named("#2")), 2, .downlink),
    ])
    func bytesOfOneConnection(trigger: LinkFault.Trigger, connection: Int, direction: Direction) async throws {
        let fault = LinkFault(trigger: trigger, effect: .offline(.silent), duration: nil, until: .bytes(ByteCount(900)))
        try await withProxyLink(ProxyLinkConfiguration(profile: Self.profile)) { link async throws in
            let driver = LinkFaultDriver([fault], link: AttemptLink(link), content: nil)
            func tell(_ kind: LinkEvent.Kind, _ connection: Int) async {
                await withDiscardingTaskGroup { group in
                    driver.observe(
                        LinkEvent(at: Instant(nanoseconds: 1), connection: connection, kind: kind), in: &group)
                }
            }
            for number in [1, 2] { await tell(.opened(door: "", target: "", key: "#\(number)"), number) }
            await tell(.keyed("/a"), 1)
            await tell(.delivered(direction.opposite, total: 500), connection)
            await tell(.delivered(direction, total: 499), connection)
            #expect(driver.played.isEmpty)
            await tell(.delivered(direction, total: 500), connection)
            #expect(try await link.conditions.offline == .silent)
            await tell(.delivered(.downlink, total: 900), connection)
            #expect(try await link.conditions.offline == nil)
        }
    }
}
