import Testing

@testable import Netlink

/// The kernel's report of a queue is read back completely, and each difference is reported by its name.
@Suite struct ComparisonTests {
    /// A queue as the kernel reports it: its settings, statistics, and attributes that are unknown here.
    private func installed(
        _ queue: TrafficQueue, statistics: (inout NetlinkAttributes) -> Void = { _ in }
    ) throws -> InstalledTraffic {
        var message = queue.message(.add, on: someInterface)
        message.attributes.nest(7, statistics)
        message.attributes.add(300, [1, 2, 3])
        let body = ReceivedBytes(message.header + message.attributes.bytes)
        return try #require(InstalledTraffic(RouteReply(type: message.type, body: body)))
    }

    private static let netem = {
        var netem = Netem(limit: 1000)
        netem.delay = 40_000_000
        netem.jitter = 10_000_000
        netem.distribution = DelayDistribution(count: 1) { _ in 0 }
        netem.loss = .gilbertElliott(
            goodToBad: Probability(share: 1), badToGood: Probability(share: 2), inBad: .always, inGood: .never)
        netem.duplicate = Probability(share: 3)
        netem.corrupt = Probability(share: 4)
        netem.reorder = Probability(share: 5)
        netem.rate = Netem.orderly
        netem.seed = 6
        return netem
    }()

    private static func netem(_ change: (inout Netem) -> Void) -> Netem {
        var netem = netem
        change(&netem)
        return netem
    }

    static let netems: [(Netem, String)] = [
        (netem { $0.limit = 1001 }, "the limit of the netem queue 2: is 1000, not 1001"),
        (netem { $0.delay += 1 }, "the delay of the netem queue 2: in ns is 40000000, not 40000001"),
        (netem { $0.jitter += 1 }, "the jitter of the netem queue 2: in ns is 10000000, not 10000001"),
        (netem { $0.loss = .random(.never) }, "the loss of the netem queue 2: is gilbertElliott"),
        (netem { $0.duplicate = .never }, "the duplication of the netem queue 2: is 0.0000001%, not 0%"),
        (netem { $0.corrupt = .always }, "the corruption of the netem queue 2: is 0.0000001%, not 100%"),
        (netem { $0.reorder = .never }, "the reordering of the netem queue 2: is 0.0000001%, not 0%"),
        (netem { $0.rate = nil }, "the rate of the netem queue 2: is 125000000000, not 0"),
        (netem { $0.seed = 7 }, "the seed of the netem queue 2: is 6, not 7"),
    ]

    @Test(arguments: netems) func ofNetem(wanted: Netem, sentence: String) throws {
        func queue(_ netem: Netem) -> TrafficQueue { TrafficQueue(.netem(netem), handle: TrafficHandle(2)) }
        let told = try installed(queue(Self.netem))
        #expect(queue(Self.netem).differences(from: told).isEmpty)
        let differences = queue(wanted).differences(from: told).map(\.description)
        #expect(differences.count == 1 && differences.first?.hasPrefix(sentence) == true, "\(differences)")
    }

    /// Kernels before 6.6 do not report a seed, and accept none.
    @Test func aSeedThatIsNotReportedIsNoDifference() throws {
        let queue = TrafficQueue(.netem(Self.netem), handle: TrafficHandle(2))
        var silent = queue
        silent.discipline = .netem(Self.netem { $0.seed = nil })
        #expect(try queue.differences(from: installed(silent)).isEmpty)
    }

    @Test func ofOthers() throws {
        let fifo = TrafficQueue(.byteFIFO(bytes: 3000), handle: TrafficHandle(3), parent: TrafficHandle(2, 1))
        var other = fifo
        other.discipline = .byteFIFO(bytes: 3001)
        other.parent = .root
        #expect(
            try other.differences(from: installed(fifo)).map(\.description) == [
                "the parent of the bfifo queue 3: is 2:1, not root",
                "the limit of the bfifo queue 3: is 3000, not 3001",
            ])
        other.discipline = .packetFIFO(packets: 2)
        #expect(
            try other.differences(from: installed(fifo)).map(\.description) == [
                "the kind of the pfifo queue 3: is bfifo, not pfifo"
            ])
        let root = TrafficQueue(.hierarchy(defaultMinor: 1), handle: TrafficHandle(1))
        var elsewhere = root
        elsewhere.discipline = .hierarchy(defaultMinor: 2)
        #expect(
            try elsewhere.differences(from: installed(root)).map(\.description) == [
                "the default class of the htb queue 1: is 1, not 2"
            ])
    }

    /// A value that is cut off is unknown, and is not taken for a number.
    @Test func valuesThatAreCutOffAreUnknown() throws {
        let queue = TrafficQueue(.netem(Self.netem), handle: TrafficHandle(2))
        guard case .netem(let netem) = queue.discipline else { return }
        for count in 0..<netem.options.count {
            let differences = netem.differences(
                from: ReceivedBytes(Array(netem.options.prefix(count))), of: "the queue")
            // The end is a table, which no kernel reports, and the seed, which not all report.
            #expect(differences.isEmpty == (count >= netem.options.count - 8 - 12), "\(count)")
        }
    }

    @Test func counters() throws {
        let queue = TrafficQueue(.byteFIFO(bytes: 3000), handle: TrafficHandle(3), overhead: -14)
        let told = try installed(queue) { statistics in
            var basic: [UInt8] = []
            basic.append(native: UInt64(1) << 40)
            basic.append(native: UInt32.max)
            statistics.add(1, basic)
            var waiting: [UInt8] = []
            for field in [UInt32(5), 6000, 7, 8, 9] { waiting.append(native: field) }
            statistics.add(3, waiting)
            // More packets than 32 bits can count.
            statistics.add(8, UInt64(1) << 33)
        }
        var wanted = TrafficCounters()
        (wanted.bytes, wanted.packets) = (1 << 40, 1 << 33)
        (wanted.queuedPackets, wanted.queuedBytes, wanted.drops, wanted.waits) = (5, 6000, 7, 9)
        #expect(told.counters == wanted && told.overhead == -14)
        #expect(try installed(queue).counters == TrafficCounters())
    }
}
