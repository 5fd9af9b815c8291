import KernelLink
import LinkModel
import Netlink
import Testing

/// The messages that conditions become, byte for byte.
@Suite struct PlanGoldenTests {
    /// One of the three messages of a slow link with delay and bursts of losses.
    private func message(_ index: Int) throws -> RouteMessage {
        let bursts = GilbertElliott(
            goodToBad: try Ratio(parsing: "1 %"), badToGood: try Ratio(parsing: "20 %"))
        let conditions = LinkConditions(
            downlink: Conditions(
                rate: try BitRate(parsing: "780 kbit/s"), delay: .milliseconds(100), loss: .gilbertElliott(bursts)))
        let messages = try EgressPlan(conditions, .downlink, seed: 7).messages(on: someInterface)
        try #require(messages.count == 3)
        return messages[index]
    }

    /// The rate comes first; the other queues are inside it.
    @Test func rate() throws {
        expect(
            try message(0),
            is: """
                80 00 00 00 24 00 00 06 # RTM_NEWQDISC, NLM_F_CREATE, NLM_F_EXCL
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 01 00 ff ff ff ff # 1: at the root
                00 00 00 00
                08 00 01 00 74 62 66 00 # TCA_KIND "tbf"
                34 00 02 80             # TCA_OPTIONS
                28 00 01 00             # TCA_TBF_PARMS
                00 01 00 00 00 00 00 00
                dc 7c 01 00             # rate 97,500 B/s
                00 00 00 00 00 00 00 00
                00 00 00 00
                f8 24 01 00             # limit 75,000 B
                01 56 07 00             # buffer 480,769 ticks: 30.8 ms
                00 00 00 00
                08 00 06 00 b8 0b 00 00 # TCA_TBF_BURST 3000 B: two packets
                20 00 08 80             # TCA_STAB
                1c 00 01 00             # TCA_STAB_BASE
                00 00 00 00
                f2 ff ff ff             # overhead -14: no Ethernet header
                01 00 00 00
                00 00 00 00 00 00 00 00
                00 00 00 00
                """)
    }

    /// The second message says what happens to packets.
    @Test func delayAndBursts() throws {
        expect(
            try message(1),
            is: """
                c0 00 00 00 24 00 00 06
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 02 00 01 00 01 00 # 2: in 1:1
                00 00 00 00
                0a 00 01 00 6e 65 74 65 6d 00 00 00 # TCA_KIND "netem"
                90 00 02 00             # TCA_OPTIONS
                84 d7 17 00             # latency 1,562,500 ticks: 100 ms
                58 0a 00 00             # limit 2648 packets
                00 00 00 00             # no loss by itself
                00 00 00 00 00 00 00 00 # no reordering, no duplicates
                00 00 00 00             # no jitter
                0c 00 03 00 00 00 00 00 00 00 00 00 # TCA_NETEM_REORDER
                0c 00 04 00 00 00 00 00 00 00 00 00 # TCA_NETEM_CORRUPT
                14 00 06 00 ff ff ff ff # TCA_NETEM_RATE: more than 32 bits
                00 00 00 00 00 00 00 00
                00 00 00 00
                0c 00 08 00             # TCA_NETEM_RATE64
                00 a2 94 1a 1d 00 00 00 # 1 Tbit/s: in order, at once
                0c 00 0a 00             # TCA_NETEM_LATENCY64
                00 e1 f5 05 00 00 00 00 # 100,000,000 ns
                0c 00 0b 00             # TCA_NETEM_JITTER64
                00 00 00 00 00 00 00 00
                18 00 05 80             # TCA_NETEM_LOSS
                14 00 02 00             # NETEM_LOSS_GE
                29 5c 8f 02             # p 1 %
                33 33 33 33             # r 20 %
                00 00 00 00             # h 0 %: all is lost in the bad state
                00 00 00 00             # 1-k 0 %
                0c 00 0e 00             # TCA_NETEM_PRNG_SEED
                07 00 00 00 00 00 00 00
                """)
    }

    /// The third message is the queue in front of the rate.
    @Test func queue() throws {
        expect(
            try message(2),
            is: """
                38 00 00 00 24 00 00 06
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 03 00 01 00 02 00 # 3: in 2:1
                00 00 00 00
                0a 00 01 00 62 66 69 66 6f 00 00 00 # TCA_KIND "bfifo"
                08 00 02 00 f8 24 01 00 # TCA_OPTIONS: limit 75,000 B
                """)
    }
}
