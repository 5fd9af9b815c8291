import KernelLink
import LinkModel
import Netlink
import Testing

/// The plans that conditions are compiled to, in the notation of tc(8).
@Suite struct PlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var conditions: LinkConditions
        var direction = Direction.downlink
        var plan: String

        var testDescription: String { name }
    }

    private static func link(_ downlink: Conditions, _ uplink: Conditions = Conditions()) -> LinkConditions {
        LinkConditions(downlink: downlink, uplink: uplink)
    }

    private static func rate(_ text: String) -> BitRate? { try? BitRate(parsing: text) }
    private static func share(_ text: String) -> Ratio { (try? Ratio(parsing: text)) ?? .zero }

    static let cases: [Case] = [
        Case(name: "nothing", conditions: LinkConditions(), plan: ""),
        Case(
            name: "a rate alone needs no netem", conditions: link(Conditions(rate: rate("780 kbit/s"))),
            plan: """
                qdisc tbf 1: root rate 780000bit burst 3000b limit 75000 overhead -14
                qdisc bfifo 3: parent 1:1 limit 75000b
                """),
        Case(
            name: "a high rate has a burst of 1 ms", conditions: link(Conditions(rate: rate("100 Gbit/s"))),
            plan: """
                qdisc tbf 1: root rate 100000000000bit burst 12500000b limit 75000 overhead -14
                qdisc bfifo 3: parent 1:1 limit 75000b
                """),
        Case(
            name: "a queue of packets", conditions: link(Conditions(rate: rate("1 Mbit/s"), queue: .packets(20))),
            plan: """
                qdisc tbf 1: root rate 1000000bit burst 3000b limit 20 overhead -14
                qdisc pfifo 3: parent 1:1 limit 20p
                """),
        Case(
            name: "a queue of bytes",
            conditions: link(Conditions(rate: rate("1 Mbit/s"), queue: .bytes(ByteCount(20_000)))),
            plan: """
                qdisc tbf 1: root rate 1000000bit burst 3000b limit 20000 overhead -14
                qdisc bfifo 3: parent 1:1 limit 20000b
                """),
        Case(
            name: "a delay alone", conditions: link(Conditions(delay: .milliseconds(40))),
            plan: "qdisc netem 2: root limit 100000 delay 40000000ns rate 1000000000000bit overhead -14"),
        Case(
            name: "3g down",
            conditions: link(
                Conditions(rate: rate("780 kbit/s"), delay: .milliseconds(100)),
                Conditions(rate: rate("330 kbit/s"), delay: .milliseconds(100))),
            plan: """
                qdisc tbf 1: root rate 780000bit burst 3000b limit 75000 overhead -14
                qdisc netem 2: parent 1:1 limit 2648 delay 100000000ns rate 1000000000000bit
                qdisc bfifo 3: parent 2:1 limit 75000b
                """),
        Case(
            name: "a queue as large as the bandwidth-delay product of both delays",
            conditions: link(
                Conditions(rate: rate("50 Mbit/s"), delay: .milliseconds(50)),
                Conditions(rate: rate("10 Mbit/s"), delay: .milliseconds(65))),
            plan: """
                qdisc tbf 1: root rate 50000000bit burst 6250b limit 718750 overhead -14
                qdisc netem 2: parent 1:1 limit 32226 delay 50000000ns rate 1000000000000bit
                qdisc bfifo 3: parent 2:1 limit 718750b
                """),
        Case(
            name: "everything that netem has",
            conditions: link(
                Conditions(
                    delay: .milliseconds(40), jitter: Jitter(amount: .milliseconds(10), distribution: .normal),
                    loss: .gilbertElliott(.init(goodToBad: share("1 %"), badToGood: share("20 %"))),
                    duplicate: share("0.5 %"), reorder: share("60 %"), corrupt: share("0.1 %"))),
            plan: "qdisc netem 2: root limit 100000 delay 40000000ns 10000000ns of 4096 loss gemodel 1% 20% 100% 0% "
                + "duplicate 0.5% reorder 60% corrupt 0.1% rate 1000000000000bit overhead -14"),
        Case(
            name: "without a delay nothing can be spared it",
            conditions: link(Conditions(loss: .random(share("2 %")), reorder: share("5 %"))),
            plan: "qdisc netem 2: root limit 100000 delay 0ns loss 2% rate 1000000000000bit overhead -14"),
        Case(
            name: "silent, and so is a loss of all", conditions: link(Conditions(loss: .random(.one))),
            plan: "qdisc bfifo 3: root limit 0b overhead -14"),
        Case(
            name: "silent with a rate",
            conditions: LinkConditions(downlink: Conditions(rate: rate("1 Mbit/s")), offline: .silent),
            plan: """
                qdisc tbf 1: root rate 1000000bit burst 3000b limit 0 overhead -14
                qdisc bfifo 3: parent 1:1 limit 0b
                """),
        Case(
            name: "queries of the uplink are held, and share its rate",
            conditions: LinkConditions(
                uplink: Conditions(rate: rate("1 Mbit/s"), delay: .milliseconds(20)), dnsDelay: .seconds(3)),
            direction: .uplink,
            plan: """
                qdisc htb 1: root default 0x10 overhead -14
                class htb 1:1 parent 1: rate 1000000bit ceil 1000000bit burst 3000b quantum 1500b
                class htb 1:10 parent 1:1 rate 1000000bit ceil 1000000bit burst 3000b quantum 1500b
                class htb 1:20 parent 1:1 rate 1000000bit ceil 1000000bit burst 3000b quantum 1500b
                qdisc netem 10: parent 1:10 limit 2421 delay 20000000ns rate 1000000000000bit
                qdisc bfifo 11: parent 10:1 limit 75000b
                qdisc netem 20: parent 1:20 limit 14140 delay 3020000000ns rate 1000000000000bit
                qdisc bfifo 21: parent 20:1 limit 75000b
                filter parent 1: prio 1 protocol ipv4 u32 match u32 0x45000000 0xff000000 at 0 match u32 0x0 0x1fff at 4 \
                match u32 0x110000 0xff0000 at 8 match u32 0x35 0xffff at 20 flowid 1:20
                filter parent 1: prio 2 protocol ipv4 u32 match u32 0x45000000 0xff000000 at 0 match u32 0x0 0x1fff at 4 \
                match u32 0x60000 0xff0000 at 8 match u32 0x35 0xffff at 20 match u32 0x80000 0x80000 at 32 flowid 1:20
                filter parent 1: prio 3 protocol ipv6 u32 match u32 0x1100 0xff00 at 4 match u32 0x35 0xffff at 40 flowid 1:20
                filter parent 1: prio 4 protocol ipv6 u32 match u32 0x600 0xff00 at 4 match u32 0x35 0xffff at 40 \
                match u32 0x80000 0x80000 at 52 flowid 1:20
                """),
        Case(
            name: "answers are not held", conditions: LinkConditions(dnsDelay: .seconds(3)), direction: .downlink,
            plan: ""),
    ]

    @Test(arguments: cases) func isCompiledTo(_ row: Case) throws {
        let plan = try EgressPlan(row.conditions, row.direction)
        #expect(plan.description == row.plan)
    }

    /// Packets of an interface without a hardware header count in full.
    @Test func noHeaderIsLeftOutWhereThereIsNone() throws {
        let plan = try EgressPlan(
            LinkConditions(downlink: Conditions(rate: Self.rate("1 Mbit/s"))), .downlink, headerBytes: 0)
        #expect(plan.queues.map(\.overhead) == [nil, nil])
    }

    /// A plan has everything that its profile needs at any time; it has no effect until then.
    @Test func aLayoutForeseesAllChanges() throws {
        var profile = Profile(name: "tunnel")
        let slow = LinkConditions(downlink: Conditions(rate: Self.rate("1 Mbit/s"), delay: .milliseconds(10)))
        let silent = LinkConditions(offline: .silent)
        profile.changes = [.init(at: .seconds(1), conditions: slow), .init(at: .seconds(2), conditions: silent)]
        let layout = QueueLayout(.downlink, profile)
        let plans = try [profile.conditions, slow, silent].map { try EgressPlan($0, .downlink, layout: layout) }
        #expect(plans.allSatisfy { $0.hasLayout(of: plans[0]) })
        #expect(
            plans[0].description == """
                qdisc tbf 1: root rate 1000000000000bit burst 125000000b limit 268435456 overhead -14
                qdisc netem 2: parent 1:1 limit 100000 delay 0ns rate 1000000000000bit
                qdisc bfifo 3: parent 2:1 limit 268435456b
                """)
        #expect(plans[2].description.contains(" loss 100% "))
        // A change sends only what differs, and nothing if only the seed differs.
        let interface = someInterface
        #expect(plans[0].messages(changing: plans[0], on: interface).isEmpty)
        #expect(plans[1].messages(changing: plans[0], on: interface).count == 3)
        let seeded = try EgressPlan(slow, .downlink, layout: layout, seed: 7)
        #expect(seeded != plans[1] && seeded.messages(changing: plans[1], on: interface).isEmpty)
        #expect(seeded.keepingSeeds(of: plans[1]) == plans[1] && seeded.keepingSeeds(of: plans[0]) == seeded)
        // The uplink of the same profile needs only to be silent.
        #expect(!QueueLayout(.uplink, profile).hasRate && QueueLayout(.uplink, profile).hasSilence)
        #expect(layout.joined(with: QueueLayout(.downlink, [slow])) == layout)
    }

    /// A queue limit in packets becomes one in bytes if other conditions have bytes.
    @Test func queueLimitsOfTwoUnitsBecomeBytes() throws {
        let packets = LinkConditions(downlink: Conditions(rate: Self.rate("1 Mbit/s"), queue: .packets(20)))
        let bytes = LinkConditions(downlink: Conditions(rate: Self.rate("1 Mbit/s")))
        let layout = QueueLayout(.downlink, [packets, bytes])
        let plan = try EgressPlan(packets, .downlink, layout: layout)
        #expect(plan.description.hasSuffix("qdisc bfifo 3: parent 1:1 limit 30000b"))
    }

    /// The table of the normal distribution is the model's, so that both backends draw the same delays.
    @Test func theNormalDistributionIsTheModels() throws {
        let jitter = Jitter(amount: .milliseconds(1), distribution: .normal)
        let plan = try EgressPlan(
            LinkConditions(downlink: Conditions(delay: .milliseconds(5), jitter: jitter)), .downlink)
        guard case .netem(let netem) = plan.queues[0].discipline else {
            Issue.record("there is no netem in \(plan)")
            return
        }
        let values = netem.distribution.entries.map { Double($0) / 8192 }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
        #expect(abs(mean) < 1e-3 && abs(variance.squareRoot() - 0.997) < 5e-3)
        #expect(values.min() ?? 0 >= -3 && values.max() ?? 0 <= 3 && values.max() ?? 0 > 2.99)
    }
}
