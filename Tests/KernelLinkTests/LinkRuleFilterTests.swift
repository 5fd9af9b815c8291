import LinkModel
import Netlink
import Testing

@testable import KernelLink

/// The filters and queues of rules, as they are requested from the kernel.
@Suite struct LinkRuleFilterTests {
    private let slow = LinkConditions(uplink: Conditions(rate: BitRate(bitsPerSecond: 1_000_000)))

    private func filters(_ text: String, _ direction: Direction, slot number: Int = 8) throws -> [String] {
        let slot = try #require(RuleSlot(number))
        return SelectorFilters.rule(
            try LinkSelector(parsing: text), direction, slot: slot, below: InterfaceTree.root, .classify(slot.way)
        ).map { $0.description.replacing("filter parent 4857: ", with: "") }
    }

    /// A device is the destination of outgoing and the source of incoming packets, also in the Ethernet header.
    @Test(arguments: [
        (
            "192.168.1.20", Direction.uplink,
            ["prio 18536 protocol ipv4 u32 match u32 0xc0a80114 0xffffffff at 16 flowid 4857:108"]
        ),
        (
            "192.168.1.0/24", .downlink,
            ["prio 18536 protocol ipv4 u32 match u32 0xc0a80100 0xffffff00 at 12 flowid 4857:108"]
        ),
        (
            "fd00::/8", .uplink,
            ["prio 18537 protocol ipv6 u32 match u32 0xfd000000 0xff000000 at 24 flowid 4857:108"]
        ),
        (
            "02:11:22:33:44:55", .uplink,
            [
                "prio 18536 protocol all u32 match u32 0x211 0xffff at -16"
                    + " match u32 0x22334455 0xffffffff at -12 flowid 4857:108"
            ]
        ),
        (
            "02:11:22:33:44:55", .downlink,
            [
                "prio 18536 protocol all u32 match u32 0x2112233 0xffffffff at -8"
                    + " match u32 0x44550000 0xffff0000 at -4 flowid 4857:108"
            ]
        ),
    ])
    func areThoseOfADirection(text: String, direction: Direction, wanted: [String]) throws {
        #expect(try filters(text, direction) == wanted)
    }

    /// TCP and UDP, from and to the port, over IPv4 and IPv6, each of which has its own priority.
    @Test func aPortTakesEight() throws {
        let all = try filters("443", .uplink)
        #expect(all.count == 8 && all.filter { $0.hasPrefix("prio 18536 protocol ipv4") }.count == 4)
        #expect(all.filter { $0.hasPrefix("prio 18537 protocol ipv6") }.count == 4)
    }

    /// Each rule has a class with queues of its own numbers.
    ///
    /// Without a profile for the interface, other traffic is not shaped.
    @Test(arguments: [true, false]) func branchesAreBesideThePlan(hasProfile: Bool) throws {
        let slot = try #require(RuleSlot(8))
        let plan = try EgressPlan(slow, .uplink)
        let branch = RuleBranch(plan, in: slot, largest: 1514) {
            SelectorFilters.rule(.port(443), .uplink, slot: slot, below: InterfaceTree.root, $0)
        }
        let tree = InterfaceTree(
            hasProfile ? plan : EgressPlan(), exceptions: [], branches: [branch], largest: 1514)
        let own = [
            "qdisc tbf 5140: parent 4857:108 rate 1000000000000bit burst 1514b limit 268435456",
            "qdisc tbf 5141: parent 5140:1 rate 1000000bit burst 3000b limit 75000",
            "qdisc bfifo 5143: parent 5141:1 limit 75000b",
        ]
        let others = [
            "qdisc tbf 4858: parent 4857:1 rate 1000000000000bit burst 1514b limit 268435456",
            "qdisc tbf 1: parent 4858:1 rate 1000000bit burst 3000b limit 75000",
            "qdisc bfifo 3: parent 1:1 limit 75000b",
        ]
        let root = "qdisc htb 4857: root default 0x\(hasProfile ? 1 : 0) overhead -14"
        #expect(tree.queues.map(\.description) == [root] + (hasProfile ? others : []) + own)
        #expect(tree.classes.map(\.handle.description) == (hasProfile ? ["4857:1"] : []) + ["4857:108"])
        #expect(tree.filters.count == 8 && tree.filters.allSatisfy { $0.action == .classify(slot.way) })
        let names = tree.messages(on: NetworkInterface(index: 7, name: "wlan0")).map(\.purpose.attempt)
        let first = try #require(names.firstIndex { $0.contains("u32 filter") })
        let queue = try #require(names.firstIndex { $0.hasPrefix("add the bfifo queue 5143:") })
        #expect(first > queue, "a filter leads to what is there already")
    }

    /// Queries to name servers are held in a rule's class as they are in the plan.
    @Test func aPlanMovesWhole() throws {
        let slot = try #require(RuleSlot(1))
        var names = slow
        names.dnsDelay = .milliseconds(300)
        let branch = RuleBranch(try EgressPlan(names, .uplink), in: slot, largest: 1514) { _ in [] }
        let tree = InterfaceTree(EgressPlan(), exceptions: [], branches: [branch], largest: 1514)
        #expect(
            tree.queues.dropFirst().map { "\($0.handle) \($0.parent) \($0.discipline.kind)" } == [
                "5028: 4857:101 tbf", "5029: 5028:1 htb", "5038: 5029:10 netem", "5039: 5038:1 bfifo",
                "5048: 5029:20 netem", "5049: 5048:1 bfifo",
            ])
        #expect(
            tree.classes.map { "\($0.handle) \($0.parent)" } == [
                "4857:101 4857:", "5029:1 5029:", "5029:10 5029:1", "5029:20 5029:1",
            ])
        #expect(tree.filters.allSatisfy { $0.parent == TrafficHandle(0x5029) } && tree.filters.count == 4)
        #expect(tree.filters.allSatisfy { $0.action == .classify(TrafficHandle(0x5029, 0x20)) })
    }

    /// A rule with a profile that lets everything pass takes its traffic around the plan.
    @Test func anOpenProfileGoesAround() throws {
        let slot = try #require(RuleSlot(8))
        let branch = RuleBranch(EgressPlan(), in: slot, largest: 1514) {
            SelectorFilters.rule(.port(443), .uplink, slot: slot, below: InterfaceTree.root, $0)
        }
        let shaped = InterfaceTree(try EgressPlan(slow, .uplink), exceptions: [], branches: [branch], largest: 1514)
        #expect(shaped.filters.count == 8 && shaped.filters.allSatisfy { $0.action == .classify(InterfaceTree.root) })
        #expect(InterfaceTree(EgressPlan(), exceptions: [], branches: [branch], largest: 1514).isEmpty)
    }
}
