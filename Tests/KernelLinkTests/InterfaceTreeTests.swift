import LinkModel
import Netlink
import Testing

@testable import KernelLink

/// The queues at the root of an interface, around the plan of a link.
@Suite struct InterfaceTreeTests {
    private func plan(_ conditions: LinkConditions) throws -> EgressPlan { try EgressPlan(conditions, .uplink) }

    private let slow = LinkConditions(uplink: Conditions(rate: BitRate(bitsPerSecond: 1_000_000)))

    /// The plan is inside a bucket that only splits packets.
    @Test func aPlanIsInABucketOfOurs() throws {
        let tree = InterfaceTree(try plan(slow), exceptions: [], largest: 1514)
        #expect(
            tree.queues.map(\.description) == [
                "qdisc tbf 4857: root rate 1000000000000bit burst 1514b limit 268435456 overhead -14",
                "qdisc tbf 1: parent 4857:1 rate 1000000bit burst 3000b limit 75000",
                "qdisc bfifo 3: parent 1:1 limit 75000b",
            ])
        #expect(tree.classes.isEmpty && tree.filters.isEmpty)
    }

    /// Excepted packets leave the root at once; their filters come before anything that shapes.
    @Test func exceptionsGoAround() throws {
        let filters = SelectorFilters.all(
            [.port(22)], .uplink, below: InterfaceTree.root, to: InterfaceTree.root)
        let tree = InterfaceTree(try plan(slow), exceptions: filters, largest: 1514)
        #expect(
            tree.queues.map(\.description) == [
                "qdisc htb 4857: root default 0x1 overhead -14",
                "qdisc tbf 4858: parent 4857:1 rate 1000000000000bit burst 1514b limit 268435456",
                "qdisc tbf 1: parent 4858:1 rate 1000000bit burst 3000b limit 75000",
                "qdisc bfifo 3: parent 1:1 limit 75000b",
            ])
        #expect(tree.filters.allSatisfy { $0.action == .classify(InterfaceTree.root) } && tree.filters.count == 18)
        let names = tree.messages(on: NetworkInterface(index: 7, name: "eth0")).map(\.purpose.attempt)
        let last = try #require(names.lastIndex { $0.contains("u32 filter") })
        #expect(names[0].hasPrefix("add the htb queue 4857:") && names[1].hasPrefix("add the htb class 4857:1"))
        #expect(last == 1 + filters.count && names[last + 1].hasPrefix("add the tbf queue 4858:"))
    }

    /// A direction that lets everything pass gets no queue; the form of a shape does not depend on its numbers.
    @Test func formsAreThoseOfQueues() throws {
        #expect(InterfaceTree(EgressPlan(), exceptions: [], largest: 1514).isEmpty)
        let fast = LinkConditions(uplink: Conditions(rate: BitRate(bitsPerSecond: 9_000_000)))
        let delayed = LinkConditions(
            uplink: Conditions(rate: BitRate(bitsPerSecond: 1_000_000), delay: .milliseconds(1)))
        let forms = try [slow, fast, delayed].map { InterfaceTree(try plan($0), exceptions: [], largest: 1514).form }
        #expect(forms[0] == forms[1] && forms[0] != forms[2])
    }
}
