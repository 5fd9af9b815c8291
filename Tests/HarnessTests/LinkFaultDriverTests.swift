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
}
