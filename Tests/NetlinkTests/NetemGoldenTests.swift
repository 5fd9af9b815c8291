import Netlink
import Testing

/// Messages about netem, which not all kernels have.
@Suite struct NetemGoldenTests {
    private let place = (handle: TrafficHandle(2), parent: TrafficHandle(1, 1))

    private func message(_ netem: Netem) -> RouteMessage {
        TrafficQueue(.netem(netem), handle: place.handle, parent: place.parent).message(.replace, on: someInterface)
    }

    @Test func everythingAtOnce() {
        var netem = Netem(limit: 1000)
        netem.delay = 100_000_000
        netem.jitter = 10_000_000
        netem.distribution = DelayDistribution(count: 4) { ([-8192, -1, 1, 8191] as [Double])[Int($0 * 4)] / 8192 }
        netem.loss = .random(Probability(partsPerBillion: 10_000_000))
        netem.duplicate = Probability(partsPerBillion: 5_000_000)
        netem.reorder = Probability(partsPerBillion: 600_000_000)
        netem.corrupt = Probability(partsPerBillion: 1_000_000)
        netem.rate = Netem.orderly
        netem.seed = 0x0102_0304_0506_0708
        expect(
            message(netem),
            is: """
                b4 00 00 00             # nlmsg_len 180
                24 00 00 05             # RTM_NEWQDISC, NLM_F_CREATE, NLM_F_REPLACE
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00 # tcm_ifindex 7
                00 00 02 00             # tcm_handle 2:
                01 00 01 00             # tcm_parent 1:1
                00 00 00 00
                0a 00 01 00 6e 65 74 65 6d 00 00 00 # TCA_KIND "netem"
                84 00 02 00             # TCA_OPTIONS, 132: no nest, for a struct comes first
                84 d7 17 00             # latency 1,562,500 ticks: 100 ms
                e8 03 00 00             # limit 1000 packets
                29 5c 8f 02             # loss 1 %
                01 00 00 00             # gap 1: each packet can be reordered
                14 ae 47 01             # duplicate 0.5 %
                5a 62 02 00             # jitter 156,250 ticks: 10 ms
                0c 00 03 00 99 99 99 99 00 00 00 00 # TCA_NETEM_REORDER 60 %, uncorrelated
                0c 00 04 00 37 89 41 00 00 00 00 00 # TCA_NETEM_CORRUPT 0.1 %, uncorrelated
                14 00 06 00             # TCA_NETEM_RATE, 20
                ff ff ff ff             # rate: as much as 32 bits can say
                00 00 00 00 00 00 00 00 # packet_overhead, cell_size
                00 00 00 00             # cell_overhead
                0c 00 08 00             # TCA_NETEM_RATE64
                00 a2 94 1a 1d 00 00 00 # 125,000,000,000 B/s
                0c 00 0a 00             # TCA_NETEM_LATENCY64
                00 e1 f5 05 00 00 00 00 # 100,000,000 ns
                0c 00 0b 00             # TCA_NETEM_JITTER64
                80 96 98 00 00 00 00 00 # 10,000,000 ns
                0c 00 02 00             # TCA_NETEM_DELAY_DIST
                00 e0 ff ff 01 00 ff 1f # -8192, -1, 1, 8191
                0c 00 0e 00             # TCA_NETEM_PRNG_SEED
                08 07 06 05 04 03 02 01
                """)
    }

    /// The kernel keeps what a change leaves out, so a message leaves nothing out.
    @Test func nothingAtAll() {
        expect(
            message(Netem(limit: 1000)),
            is: """
                90 00 00 00 24 00 00 05
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 02 00 01 00 01 00
                00 00 00 00
                0a 00 01 00 6e 65 74 65 6d 00 00 00
                60 00 02 00             # TCA_OPTIONS, 96
                00 00 00 00 e8 03 00 00 # no latency, limit 1000
                00 00 00 00 00 00 00 00 # no loss, no gap
                00 00 00 00 00 00 00 00 # no duplicates, no jitter
                0c 00 03 00 00 00 00 00 00 00 00 00 # TCA_NETEM_REORDER 0
                0c 00 04 00 00 00 00 00 00 00 00 00 # TCA_NETEM_CORRUPT 0
                14 00 06 00 00 00 00 00 # TCA_NETEM_RATE: unlimited
                00 00 00 00 00 00 00 00
                00 00 00 00
                0c 00 0a 00 00 00 00 00 00 00 00 00 # TCA_NETEM_LATENCY64 0
                0c 00 0b 00 00 00 00 00 00 00 00 00 # TCA_NETEM_JITTER64 0
                """)
    }

    @Test func bursts() {
        var netem = Netem(limit: 1000)
        netem.loss = .gilbertElliott(
            goodToBad: Probability(partsPerBillion: 10_000_000), badToGood: Probability(partsPerBillion: 200_000_000),
            inBad: Probability(partsPerBillion: 900_000_000), inGood: Probability(partsPerBillion: 1_000_000))
        let bytes = message(netem).bytes
        // These bytes follow those that nothingAtAll() has too.
        #expect(
            hexadecimal(Array(bytes.suffix(24)))
                == [
                    "18 00 05 80",  // TCA_NETEM_LOSS, nested, 24
                    "14 00 02 00",  // NETEM_LOSS_GE, 20
                    "29 5c 8f 02",  // p 1 %
                    "33 33 33 33",  // r 20 %
                    "99 99 99 19",  // h 10 %: the chance of no loss in the bad state
                    "37 89 41 00",  // 1-k 0.1 %
                ].joined(separator: " "))
        #expect(bytes.count == 144 + 24 && hexadecimal(Array(bytes[60..<64])) == "00 00 00 00")
    }

    /// Probabilities above a half are not negative numbers, and that of a whole is not the −1 that looks like an error.
    @Test(
        arguments: [
            (0, 0), (1, 4), (10_000_000, 42_949_673), (500_000_000, 2_147_483_648), (600_000_000, 2_576_980_377),
            (999_999_999, 4_294_967_291), (1_000_000_000, 4_294_967_295), (2_000_000_000, 4_294_967_295), (-1, 0),
        ] as [(Int64, UInt32)])
    func probabilities(partsPerBillion: Int64, share: UInt32) {
        #expect(Probability(partsPerBillion: partsPerBillion).share == share)
        #expect(Probability(share: share).complement.share == .max - share)
    }

    /// A delay that exceeds 32 bits of ticks is in 64 bits of nanoseconds, and does not wrap.
    @Test func delaysOfMoreThan274Seconds() {
        var netem = Netem(limit: 1000)
        netem.delay = 3_600_000_000_000
        let bytes = message(netem).bytes
        #expect(hexadecimal(Array(bytes[52..<56])) == "ff ff ff ff")
        // 3,600,000,000,000 ns
        #expect(hexadecimal(Array(bytes[120..<132])) == "0c 00 0a 00 00 a0 b8 30 46 03 00 00")
    }

    @Test func tablesAreComputed() {
        let entries = DelayDistribution.uniform.entries
        #expect(entries.count == 4096 && entries.first == -8190 && entries.last == 8190)
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $1 - $0 == 4 })
        // Entries are limited to 16 bits.
        #expect(DelayDistribution(count: 2) { $0 < 0.5 ? -10 : 10 }.entries == [.min, .max])
    }
}
