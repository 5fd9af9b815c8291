import KernelLink
import LinkModel
import Testing

/// Properties that the kernel's queues do not support are reported, one by one, before anything changes.
@Suite struct ObstacleTests {
    private static func rate(_ text: String) -> BitRate? { try? BitRate(parsing: text) }

    static let cases: [(LinkConditions, String)] = [
        (LinkConditions(offline: .noRoute), "support 'offline: no-route': its queues drop packets, but cannot answer"),
        (LinkConditions(offline: .refused), "'offline: refused'"),
        (LinkConditions(offline: .noName), "'offline: no-name'"),
        (LinkConditions(isHeld: true), "support a stall: its queues cannot hold"),
        (
            LinkConditions(downlink: Conditions(rate: rate("1 bit/s"))),
            "the rate of the downlink, 1 bit/s: the kernel counts whole bytes a second"
        ),
        (
            LinkConditions(downlink: Conditions(rate: rate("1003 bit/s"))),
            "the rate of the downlink, 1.003 kbit/s: the kernel counts whole bytes a second, and the nearest rate is 1000bit"
        ),
        (
            LinkConditions(downlink: Conditions(rate: rate("80 bit/s"))),
            "the rate of the downlink, 80 bit/s: two packets would take longer than 274 s, the kernel's maximum"
        ),
        (
            LinkConditions(downlink: Conditions(delay: .seconds(3), jitter: Jitter(amount: .seconds(3)))),
            "the jitter of the downlink, 3 s: the kernel would silently use 2.147483647 s"
        ),
        (
            LinkConditions(downlink: Conditions(rate: rate("10 Gbit/s"), delay: .seconds(2))),
            "the delay and the queue of the downlink at its rate: more than 1000000 packets"
        ),
        (
            LinkConditions(downlink: Conditions(rate: rate("1 Gbit/s"), queue: .bytes(ByteCount(1 << 33)))),
            "the queue of the downlink, 8 GiB: the kernel's maximum is 4 GiB"
        ),
    ]

    @Test(arguments: cases) func isRefused(conditions: LinkConditions, words: String) throws {
        let error = #expect(throws: UnsupportedProperty.self) { try EgressPlan(conditions, .downlink) }
        let sentence = try #require(error?.description)
        #expect(sentence.hasPrefix("The kernel backend does not support ") && sentence.contains(words), "\(sentence)")
        #expect(sentence.hasSuffix("The packet backend does: --backend packet."))
    }

    /// Duplicates and a DNS delay exclude each other, even at different times of a profile.
    @Test func duplicatesAndADNSDelayExcludeEachOther() throws {
        var profile = Profile(name: "double")
        profile.conditions.dnsDelay = .seconds(1)
        let doubling = LinkConditions(uplink: Conditions(duplicate: try Ratio(parsing: "1 %")))
        #expect(KernelObstacles.find(in: profile).isEmpty && KernelObstacles.find(in: doubling, .uplink).isEmpty)
        profile.changes = [.init(at: .seconds(1), conditions: doubling)]
        let wanted = "the duplicates of the uplink together with a DNS delay"
        #expect(KernelObstacles.find(in: profile).map(\.property) == [wanted])
        let error = #expect(throws: UnsupportedProperty.self) {
            try EgressPlan(doubling, .uplink, layout: QueueLayout(.uplink, profile))
        }
        #expect(error?.property == wanted)
        // The other direction has one netem.
        profile.changes[0].conditions = LinkConditions(downlink: doubling.uplink)
        #expect(KernelObstacles.find(in: profile).isEmpty)
    }

    @Test func aProfileIsReadWhole() throws {
        var profile = Profile(name: "all")
        profile.stall = .init(period: .seconds(18), length: .milliseconds(900))
        profile.downlinkTrace = try DeliveryTrace(mahimahi: "10\n20\n")
        let later = LinkConditions(uplink: Conditions(rate: Self.rate("2 bit/s")), offline: .noRoute)
        profile.changes = [.init(at: .seconds(1), conditions: later), .init(at: .seconds(2), conditions: later)]
        #expect(
            KernelObstacles.find(in: profile).map(\.property) == [
                "the trace of the downlink", "the stall of the profile", "'offline: no-route'",
                "the rate of the uplink, 2 bit/s",
            ])
        #expect(KernelObstacles.find(in: Profile(name: "open")).isEmpty)
    }

    /// Values just within the limits are accepted.
    @Test func valuesWithinTheLimitsAreAccepted() throws {
        let conditions = [
            Conditions(rate: Self.rate("1000 bit/s")), Conditions(rate: Self.rate("88 bit/s")),
            Conditions(rate: Self.rate("1000 Gbit/s")),
            Conditions(delay: .seconds(3600), jitter: Jitter(amount: .nanoseconds(2_147_483_647))),
            Conditions(rate: Self.rate("1 Gbit/s"), queue: .bytes(ByteCount(Int64(UInt32.max)))),
        ]
        for row in conditions {
            #expect(throws: Never.self) { try EgressPlan(LinkConditions(downlink: row), .downlink) }
        }
    }
}
