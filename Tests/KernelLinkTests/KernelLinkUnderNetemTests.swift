import Glibc
import KernelLink
import LinkModel
import Netlink
import Testing

/// Links that need netem, on a real kernel that has it.
@Suite(.serialized, .needsRoot, .needsNetem, .timeLimit(.minutes(5)))
struct KernelLinkUnderNetemTests {
    private func share(_ text: String) throws -> Ratio { try Ratio(parsing: text) }

    private func profile(_ downlink: Conditions, then later: Conditions...) -> Profile {
        let changes = later.enumerated().map { index, conditions in
            Profile.Change(at: .seconds(index + 1), conditions: LinkConditions(downlink: conditions))
        }
        return Profile(name: "test", conditions: LinkConditions(downlink: downlink), changes: changes)
    }

    /// The kernel and iproute2 report everything as it was set.
    @Test func allPropertiesAreReadBack() throws {
        let conditions = Conditions(
            rate: try BitRate(parsing: "10 Mbit/s"), delay: .milliseconds(40),
            jitter: Jitter(amount: .milliseconds(10), distribution: .normal),
            loss: .gilbertElliott(.init(goodToBad: try share("1 %"), badToGood: try share("20 %"))),
            duplicate: try share("0.5 %"), reorder: try share("60 %"), corrupt: try share("0.1 %"))
        try withLink(profile(conditions), seed: 7) { link, _, _ in
            try link.verify()
            let seen = try output("tc qdisc show dev router0")
            for part in [
                "qdisc tbf 1: root", "qdisc netem 2: parent 1:1", "qdisc bfifo 3: parent 2:1", "delay 40ms  10ms",
                "loss gemodel p 1% r 20%", "duplicate 0.5%", "reorder 60%", "corrupt 0.1%", "rate 1Tbit", "gap 1",
            ] {
                #expect(seen.contains(part), "\(part) in \(seen)")
            }
            // Everything can be reset: a change also turns properties off.
            try link.set(LinkConditions(downlink: Conditions(rate: conditions.rate)))
            let plain = try output("tc qdisc show dev router0")
            for part in ["gemodel", "duplicate", "reorder", "corrupt", "10ms", "gap"] { #expect(!plain.contains(part)) }
        }
    }

    /// The kernel reports each profile and its changes as they were set.
    @Test(arguments: BundledProfileTests.profiles.filter { KernelObstacles.find(in: $0).isEmpty })
    func everyProfileComesUp(profile: Profile) throws {
        try withLink(profile) { link, _, _ in
            for change in profile.changes { try link.set(change.conditions) }
            try link.verify()
        }
    }

    /// DNS queries have their own class, over IPv4 and IPv6, and no other packets do.
    @Test func queriesAreHeld() throws {
        try withNetwork { socket in
            let wire = try Wire(socket)
            try socket.request(VirtualInterface.intermediate(InterfaceName("host0")))
            // The test measures packets on their way to the host.
            let configuration = try KernelLinkConfiguration(
                profile: Profile(name: "dns", conditions: LinkConditions(dnsDelay: .milliseconds(200))),
                toClient: "host0", toHost: "router0")
            let link = try KernelLink(configuration, socket: RouteSocket())
            let rows: [(head: [UInt8], isHeld: Bool)] = [
                (Wire.datagram(to: 53), true), (Wire.datagram6(to: 53), true),
                (Wire.segment(to: 53, flags: 0x18), true),
                (Wire.segment(to: 53, flags: 0x02), false), (Wire.segment(to: 53, flags: 0x10), false),
                (Wire.datagram(to: 54), false), (Wire.datagram6(to: 54), false), (Wire.plain, false),
            ]
            for (index, row) in rows.enumerated() {
                let arrivals = try wire.send(1, bytes: 100, patience: .milliseconds(300), head: row.head)
                let delay = try #require(arrivals.first?.delay, "row \(index)")
                #expect((delay >= .milliseconds(199)) == row.isHeld, "row \(index): \(delay)")
            }
            try link.verify()
            try link.close()
        }
    }

    @Test func delayIsAsItWasSet() throws {
        try withLink(profile(Conditions(delay: .milliseconds(50)))) { _, wire, _ in
            let arrivals = try wire.send(50, gap: .milliseconds(4), patience: .milliseconds(200))
            #expect(arrivals.map(\.number) == Array(0..<50))
            let delays = arrivals.map(\.delay).sorted()
            #expect(delays.first ?? .zero >= .milliseconds(50))
            let median = delays.isEmpty ? .zero : delays[delays.count / 2]
            // Both timers of a busy virtual machine may be late; neither is early.
            #expect(median < .milliseconds(55), "median \(median)")
        }
    }

    /// Packets keep their order under jitter, also when the delay shrinks, unless reordering is set.
    @Test(arguments: [Jitter.Distribution.uniform, .normal])
    func jitterKeepsTheOrder(distribution: Jitter.Distribution) throws {
        let jitter = Jitter(amount: .milliseconds(10), distribution: distribution)
        let varying = Conditions(delay: .milliseconds(40), jitter: jitter)
        let short = Conditions(delay: .milliseconds(1))
        let mixing = Conditions(delay: .milliseconds(40), jitter: jitter, reorder: try share("25 %"))
        try withLink(profile(varying, then: short, mixing)) { link, wire, _ in
            let arrivals = try wire.send(400, bytes: 100, gap: .milliseconds(1), patience: .milliseconds(200)) {
                number in
                if number == 350 { try link.set(LinkConditions(downlink: short)) }
            }
            #expect(arrivals.map(\.number) == Array(0..<400))
            let delays = arrivals.prefix(300).map { $0.delay / .milliseconds(1) }
            #expect((delays.min() ?? 0) >= (distribution == .uniform ? 30 : 10))
            #expect((delays.max() ?? 0) - (delays.min() ?? 0) >= 5)
            try link.set(LinkConditions(downlink: mixing))
            let mixed = try wire.send(400, bytes: 100, gap: .milliseconds(1), patience: .milliseconds(200))
            #expect(mixed.map(\.number) != mixed.map(\.number).sorted() && mixed.count == 400)
            let early = mixed.filter { $0.delay < .milliseconds(9) }.count
            // 100 of 400 are expected; the range holds all but a millionth of runs.
            #expect((60...142).contains(early), "\(early) of 400")
        }
    }

    /// The range holds all but a millionth of the runs.
    @Test func lossIsAsItWasSet() throws {
        let count = 20_000
        let lossy = Conditions(loss: .random(try share("10 %")))
        let bursty = Conditions(loss: .gilbertElliott(.init(goodToBad: try share("1 %"), badToGood: try share("20 %"))))
        try withLink(profile(lossy, then: bursty)) { link, wire, _ in
            let arrived = try wire.send(count, bytes: 100, patience: .milliseconds(300)).count
            let lost = count - arrived
            // 2000 ± 4.9 standard deviations of 42.4
            #expect((1792...2208).contains(lost), "\(lost) of \(count)")
            #expect(try link.counters().downlink.lostPackets == UInt64(lost))
            try link.set(LinkConditions(downlink: bursty))
            let numbers = try wire.send(count, bytes: 100, patience: .milliseconds(300)).map(\.number)
            let gaps = zip([-1] + numbers, numbers + [count]).map { $1 - $0 - 1 }.filter { $0 > 0 }
            let gone = gaps.reduce(0, +)
            // 1/21 is lost, in bursts of 5: the variance is about 9 times that of single losses.
            #expect((952 - 490...952 + 490).contains(gone), "\(gone) of \(count)")
            let length = Double(gone) / Double(max(1, gaps.count))
            #expect(length > 3.5 && length < 6.5, "bursts of \(length)")
        }
    }

    @Test func duplicatesAndDamage() throws {
        let conditions = Conditions(duplicate: try share("20 %"))
        try withLink(profile(conditions)) { _, wire, _ in
            let arrivals = try wire.send(2000, bytes: 100, patience: .milliseconds(300))
            #expect(Set(arrivals.map(\.number)).count == 2000)
            #expect((2312...2488).contains(arrivals.count), "\(arrivals.count)")
        }
        try withLink(profile(Conditions(corrupt: .one))) { _, wire, _ in
            // One bit of each is flipped, anywhere in it.
            let arrivals = try wire.send(200, bytes: 17, patience: .milliseconds(200))
            let sound = arrivals.enumerated().filter {
                $0.offset == $0.element.number && $0.element.delay < .seconds(1)
            }
            #expect(arrivals.count == 200 && sound.count < 200)
        }
    }

    /// The queue is in front of the rate and has the room that was set, whatever the delay.
    @Test func theQueueIsTheModels() throws {
        let conditions = Conditions(
            rate: try BitRate(parsing: "800 kbit/s"), delay: .milliseconds(100), queue: .packets(20))
        try withLink(profile(conditions)) { link, wire, _ in
            // A packet takes 10 ms. All come at once: three pass, one is being sent, and twenty wait.
            let arrivals = try wire.send(100, patience: .milliseconds(700))
            let early = arrivals.prefix(23)
            #expect(early.map(\.number) == Array(0..<23))
            // Sending takes time too, and some packets leave the queue meanwhile.
            let sent = arrivals.map { $0.at - $0.delay }
            let slots = ((sent.max() ?? .zero) - (sent.min() ?? .zero)) / .milliseconds(10)
            #expect((23.0...24 + slots.rounded(.up)).contains(Double(arrivals.count)), "\(arrivals.count) in \(slots)")
            // After the first three, each packet waits for all before it; a busy machine delays some of them further.
            let excess = early.dropFirst(3).map { arrival in
                arrival.at - sent[0] - .milliseconds(100 + 10 * (arrival.number - 2))
            }.sorted()
            #expect(excess[0] > .milliseconds(-5) && excess[excess.count / 2] < .milliseconds(30), "\(excess)")
            let counters = try link.counters().downlink
            #expect(counters.droppedPackets == UInt64(100 - arrivals.count) && counters.lostPackets == 0)
        }
    }
}
