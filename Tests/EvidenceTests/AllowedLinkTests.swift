import LinkModel
import Scenarios
import Testing

@testable import Evidence

/// The best that a link may have been while its profile changes and faults set other profiles.
@Suite struct AllowedLinkTests {
    private static func profile(_ kilobits: Int64, loss: Int64 = 0, _ delay: Duration = .milliseconds(20)) -> Profile {
        let conditions = Conditions(
            rate: BitRate(bitsPerSecond: kilobits * 1000), delay: delay,
            loss: loss == 0 ? nil : .random(Ratio(partsPerBillion: loss * 10_000_000)))
        return Profile(name: "test", conditions: LinkConditions(downlink: conditions, uplink: conditions))
    }

    private static func played(_ profile: Profile, at seconds: Int64, for duration: Duration? = nil)
        -> PlayedFault
    {
        let fault = LinkFault(trigger: .time(.zero), effect: .profile(profile), duration: duration)
        return PlayedFault(at: 5_000_000_000 + seconds * 1_000_000_000, fault: fault)
    }

    private static func allowed(_ own: Profile, _ played: PlayedFault...) -> AllowedLink {
        AllowedLink(own, played: played, linkStart: 5_000_000_000)
    }

    @Test func bitsFollowTheBestProfile() throws {
        let edge = Self.profile(240)
        func bits(_ link: AllowedLink) -> Double { link.bits(.downlink, from: .seconds(1), to: .seconds(4)) }
        #expect(bits(Self.allowed(edge)) == 720_000)
        var steps = edge
        steps.changes = [.init(at: .seconds(2), conditions: Self.profile(1000).conditions)]
        #expect(bits(Self.allowed(steps)) == 2_240_000)
        #expect(bits(Self.allowed(edge, Self.played(Self.profile(1000), at: 2))) == 2_240_000)
        // Worse profiles, and profiles that have ended, allow no more; an end may come late.
        #expect(bits(Self.allowed(edge, Self.played(Self.profile(100), at: 2))) == 720_000)
        #expect(bits(Self.allowed(edge, Self.played(Self.profile(1240), at: 2, for: .milliseconds(750)))) == 1_720_000)
        #expect(bits(Self.allowed(edge, Self.played(Profile(name: "free"), at: 2))) == .infinity)
    }

    @Test func idealsFollowTheBestProfile() throws {
        let edge = Self.profile(240)
        let link = Self.allowed(edge, Self.played(Self.profile(1000, .milliseconds(5)), at: 2))
        let best = try #require(link.profile(until: .seconds(9)))
        #expect(best.conditions == edge.conditions && best.changes.map(\.at) == [.seconds(2)])
        #expect(best.conditions(at: .seconds(3)).downlink.delay == .milliseconds(5))
        #expect(Self.allowed(edge).profile(until: .seconds(9)) == edge)
        let worse = try #require(Self.allowed(Self.profile(9000), Self.played(edge, at: 1)).profile(until: .seconds(9)))
        #expect(worse.conditions(at: .seconds(3)) == Self.profile(9000).conditions)
    }

    @Test func lossesAreARange() {
        var steps = Self.profile(240, loss: 5)
        steps.changes = [.init(at: .seconds(2), conditions: Self.profile(240).conditions)]
        #expect(Self.allowed(steps).losses(.downlink, until: .seconds(1)) == 0.05...0.05)
        #expect(Self.allowed(steps).losses(.downlink, until: .seconds(2)) == 0...0.05)
        let worse = Self.allowed(Self.profile(240), Self.played(Self.profile(240, loss: 7), at: 1))
        #expect(worse.losses(.uplink, until: .seconds(2)) == 0...0.07)
    }
}
