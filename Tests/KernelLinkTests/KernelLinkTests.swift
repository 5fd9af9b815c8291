import CLinux
import Glibc
import KernelLink
import LinkModel
import Netlink
import SystemPackage
import Testing

/// Links of a real kernel: links with rates alone work on every kernel.
@Suite(.serialized, .needsRoot, .timeLimit(.minutes(2))) struct KernelLinkTests {
    private func rate(_ text: String, queue: QueueLimit? = nil) throws -> Conditions {
        Conditions(rate: try BitRate(parsing: text), queue: queue)
    }

    private func profile(_ conditions: LinkConditions, then changes: LinkConditions...) -> Profile {
        let changes = changes.enumerated().map { index, conditions in
            Profile.Change(at: .seconds(index + 1), conditions: conditions)
        }
        return Profile(name: "test", conditions: conditions, changes: changes)
    }

    /// A link comes up, reads back through iproute2 too, changes, and leaves no trace when it goes down.
    @Test func comesAndGoes() throws {
        let slow = LinkConditions(downlink: try rate("1 Mbit/s"), uplink: try rate("256 kbit/s"))
        let fast = LinkConditions(downlink: try rate("8 Mbit/s"), uplink: try rate("256 kbit/s"))
        try withLink(profile(slow)) { link, wire, socket in
            #expect(try socket.interface("router0").mostSegments == 1)
            try link.verify()
            let seen = try output("tc -j qdisc show dev router0")
            #expect(seen.contains("\"rate\":125000,\"burst\":3000,") && seen.contains("\"kind\":\"bfifo\""))
            #expect(try link.set(fast) == 1 && link.conditions == fast)
            #expect(try output("tc -j qdisc show dev router0").contains("\"rate\":1000000,"))
            #expect(try output("tc -j qdisc show dev host0").contains("\"rate\":32000,"))
            // Conditions that the profile does not foresee would need another tree of queues.
            var delayed = slow
            delayed.downlink.delay = .milliseconds(1)
            let error = #expect(throws: KernelLinkError.self) { try link.set(delayed) }
            #expect(error == .unforeseen(.downlink) && link.conditions == fast)
            try link.verify()
            try link.close()
            try link.close()
            #expect(try socket.queues(of: wire.router).allSatisfy { $0.handle.number == 0 })
            #expect(throws: KernelLinkError.closed) { try link.counters() }
        }
    }

    /// Packets that wait when a link changes are delivered in order; packets without room are dropped and counted.
    @Test func changesKeepPackets() throws {
        let slow = LinkConditions(downlink: try rate("80 kbit/s", queue: .bytes(ByteCount(20_000))))
        let fast = LinkConditions(downlink: try rate("80 Mbit/s", queue: .bytes(ByteCount(20_000))))
        try withLink(profile(slow)) { link, wire, _ in
            var waiting = 0
            let arrivals = try wire.send(41, patience: .milliseconds(400)) { number in
                guard number == 40 else { return }
                let counters = try link.counters().downlink
                // Three packets may pass at once, the fourth waits for the rate, and about twenty queue behind it.
                #expect(counters.queuedPackets >= 18 && counters.queuedPackets <= 21)
                #expect(counters.droppedPackets + counters.sentPackets + UInt64(counters.queuedPackets) == 40)
                waiting = Int(counters.queuedPackets)
                try link.set(fast)
            }
            let counters = try link.counters().downlink
            #expect(arrivals.map(\.number) == arrivals.map(\.number).sorted() && arrivals.count >= waiting + 3)
            #expect(UInt64(arrivals.count) == counters.sentPackets && counters.queuedPackets == 0)
            #expect(counters.sentPackets + counters.droppedPackets == 41 && counters.lostPackets == 0)
            // The Ethernet header does not count as bytes of the link.
            #expect(counters.sentBytes == counters.sentPackets * 1000)
        }
    }

    @Test func silenceLetsNothingThrough() throws {
        let open = LinkConditions()
        let silent = LinkConditions(offline: .silent)
        try withLink(profile(open, then: silent)) { link, wire, _ in
            #expect(try wire.send(10, patience: .milliseconds(50)).count == 10)
            try link.set(silent)
            #expect(try wire.send(10, patience: .milliseconds(50)).isEmpty)
            #expect(try link.counters().downlink.droppedPackets == 10)
            try link.set(open)
            #expect(try wire.send(10, patience: .milliseconds(50)).count == 10)
        }
    }

    /// A foreign queue is left alone, and the error names it.
    @Test func anOccupiedInterfaceIsRefused() throws {
        try withNetwork { socket in
            let wire = try Wire(socket)
            try socket.request(VirtualInterface.intermediate(InterfaceName("host0")))
            _ = try output("tc qdisc add dev router0 root handle 7: pfifo limit 9")
            let configuration = try KernelLinkConfiguration(
                profile: profile(LinkConditions(uplink: rate("1 Mbit/s"))), toClient: "router0", toHost: "host0")
            let error = #expect(throws: KernelLinkError.self) {
                _ = try KernelLink(configuration, socket: RouteSocket())
            }
            #expect(error == .occupied(wire.router, kind: "pfifo"))
            #expect(error?.description.contains("'tc qdisc del dev router0 root'") == true)
            #expect(try output("tc qdisc show dev router0").contains("limit 9p"))
            #expect(try !output("tc qdisc show dev host0").contains("tbf"))
        }
    }

    @Test func foreignChangesAreNoticed() throws {
        try withLink(profile(LinkConditions(downlink: try rate("1 Mbit/s")))) { link, _, _ in
            _ = try output("tc qdisc change dev router0 root handle 1: tbf rate 2mbit burst 3000 limit 75000")
            let error = #expect(throws: KernelLinkError.self) { try link.verify() }
            let sentence = try #require(error?.description)
            #expect(sentence.contains("the rate of the tbf queue 1: is 250000, not 125000"), "\(sentence)")
            #expect(sentence.contains("the overhead of the tbf queue 1: is 0, not -14"))
            _ = try output("tc qdisc del dev router0 root")
            let missing = #expect(throws: KernelLinkError.self) { try link.verify() }
            #expect(missing?.description.contains("'qdisc tbf 1: root rate 1000000bit") == true)
            // Closing the link is no failure: nothing of it is left.
        }
    }

    /// Finds foreign queues and settings that hold up or drop packets.
    @Test(arguments: [
        (
            "change dev router0 root handle 1: stab overhead -14 tbf rate 1mbit burst 3000 limit 65000 peakrate 1100kbit mtu 1000",
            "the peak rate of the tbf queue 1: is 137500, not 0"
        ),
        ("add dev router0 ingress", "the ingress queue ffff: is present, not absent"),
        ("add dev host0 root handle 9: pfifo limit 2", "the pfifo queue 9: is present, not absent"),
    ])
    func foreignQueuesAreNoticed(change: String, words: String) throws {
        try withLink(profile(LinkConditions(downlink: try rate("1 Mbit/s")))) { link, _, _ in
            _ = try output("tc qdisc \(change)")
            let error = #expect(throws: KernelLinkError.self) { try link.verify() }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            if change.contains("host0") { _ = try output("tc qdisc del dev host0 root") }
        }
    }

    @Test func aRemovedInterfaceIsReported() throws {
        try withLink(profile(LinkConditions(downlink: try rate("1 Mbit/s")))) { link, wire, socket in
            try socket.request(VirtualInterface.removal(of: wire.router))
            #expect(throws: KernelLinkError.self) { try link.verify() }
            let error = #expect(throws: KernelLinkError.self) {
                try link.set(LinkConditions(downlink: rate("2 Mbit/s")))
            }
            #expect(error?.description.contains("of interface router0: No such device") == true)
        }
    }

    /// If one direction cannot change, because its queues are gone, the other stays as it was.
    @Test func bothDirectionsChangeOrNone() throws {
        let slow = LinkConditions(downlink: try rate("1 Mbit/s"), uplink: try rate("1 Mbit/s"))
        let fast = LinkConditions(downlink: try rate("2 Mbit/s"), uplink: try rate("2 Mbit/s"))
        try withLink(profile(slow)) { link, _, _ in
            _ = try output("tc qdisc del dev host0 root")
            let error = #expect(throws: KernelLinkError.self) { try link.set(fast) }
            let sentence = try #require(error?.description)
            #expect(sentence.hasPrefix("Could not change the tbf queue 1: at root of interface host0: "), "\(sentence)")
            #expect(link.conditions == slow)
            #expect(try output("tc -j qdisc show dev router0").contains("\"rate\":125000,"))
            #expect(try !output("tc qdisc show dev host0").contains("tbf"))
        }
    }

    /// A link comes up in both directions or in none: here the uplink needs a queue that the kernel lacks.
    @Test(.needsNoNetem) func aMissingQueueLeavesNothingBehind() throws {
        try withNetwork { socket in
            let wire = try Wire(socket)
            try socket.request(VirtualInterface.intermediate(InterfaceName("host0")))
            let segments = try socket.interface("host0").mostSegments
            var conditions = LinkConditions(downlink: try rate("1 Mbit/s"))
            conditions.uplink.delay = .milliseconds(20)
            let configuration = try KernelLinkConfiguration(
                profile: profile(conditions), toClient: "router0", toHost: "host0")
            let error = #expect(throws: KernelLinkError.self) {
                _ = try KernelLink(configuration, socket: RouteSocket())
            }
            let sentence = try #require(error?.description)
            #expect(sentence.contains("at root of interface host0: this kernel has no netem queue discipline"))
            #expect(sentence.contains("'modprobe sch_netem'"))
            for interface in [wire.router, try socket.interface("host0").interface] {
                #expect(try socket.queues(of: interface).allSatisfy { $0.handle.number == 0 })
            }
            #expect(try socket.interface("host0").mostSegments == segments)
        }
    }

    /// A link ends with its scope, even if that throws.
    @Test func endsWithItsScope() async throws {
        await #expect(processExitsWith: .success) {
            guard headwind_unshare_network() == 0 else { exit(2) }
            let socket = try TestSocket()
            _ = try Wire(socket)
            try socket.request(VirtualInterface.intermediate(InterfaceName("host0")))
            let conditions = LinkConditions(downlink: Conditions(rate: try BitRate(parsing: "1 Mbit/s")))
            let configuration = try KernelLinkConfiguration(
                profile: Profile(name: "test", conditions: conditions), toClient: "router0", toHost: "host0")
            do {
                try await withKernelLink(configuration, socket: RouteSocket()) { link in
                    guard
                        try socket.queues(of: socket.interface("router0").interface).contains(where: {
                            $0.kind == "tbf"
                        })
                    else { exit(3) }
                    throw Errno.interrupted
                }
                exit(4)
            } catch Errno.interrupted {
                let queues = try socket.queues(of: socket.interface("router0").interface)
                exit(queues.contains { $0.kind == "tbf" } ? 5 : 0)
            }
        }
    }
}
