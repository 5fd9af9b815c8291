import Netlink
import Testing

/// Messages of traffic control, as the kernel reads them.
@Suite struct TrafficGoldenTests {
    @Test func tokenBucket() {
        let bucket = TokenBucket(rate: ByteRate(bytesPerSecond: 125_000), burst: 3000, limit: 75_000)
        let queue = TrafficQueue(.tokenBucket(bucket), handle: TrafficHandle(1), overhead: -14)
        expect(
            queue.message(.add, on: someInterface),
            is: """
                80 00 00 00             # nlmsg_len 128
                24 00                   # nlmsg_type RTM_NEWQDISC
                00 06                   # nlmsg_flags NLM_F_CREATE, NLM_F_EXCL
                00 00 00 00             # nlmsg_seq, given when it is sent
                00 00 00 00             # nlmsg_pid
                00 00 00 00             # tcm_family AF_UNSPEC, padding
                07 00 00 00             # tcm_ifindex 7
                00 00 01 00             # tcm_handle 1:
                ff ff ff ff             # tcm_parent TC_H_ROOT
                00 00 00 00             # tcm_info
                08 00 01 00 74 62 66 00 # TCA_KIND "tbf"
                34 00 02 80             # TCA_OPTIONS, nested, 52
                28 00 01 00             # TCA_TBF_PARMS, 40
                00 01 00 00 00 00 00 00 # rate: no cells, TC_LINKLAYER_ETHERNET, overhead 0, cell_align 0, mpu 0
                48 e8 01 00             # rate 125,000 B/s
                00 00 00 00 00 00 00 00 # no peak rate
                00 00 00 00
                f8 24 01 00             # limit 75,000 B
                d8 b8 05 00             # buffer 375,000 ticks: 24 ms
                00 00 00 00             # mtu, of the peak rate
                08 00 06 00 b8 0b 00 00 # TCA_TBF_BURST 3000 B
                20 00 08 80             # TCA_STAB, nested, 32
                1c 00 01 00             # TCA_STAB_BASE, 28
                00 00 00 00             # cell_log, size_log, cell_align
                f2 ff ff ff             # overhead -14
                01 00 00 00             # TC_LINKLAYER_ETHERNET
                00 00 00 00 00 00 00 00 # mpu, mtu
                00 00 00 00             # tsize: no table
                """)
    }

    /// 100 Gbit/s exceed 32 bits.
    @Test func tokenBucketOfManyBits() {
        let bucket = TokenBucket(rate: ByteRate(bytesPerSecond: 12_500_000_000), burst: 12_500_000, limit: 1 << 20)
        let queue = TrafficQueue(.tokenBucket(bucket), handle: TrafficHandle(1))
        expect(
            queue.message(.change, on: someInterface),
            is: """
                6c 00 00 00 24 00 00 00 # RTM_NEWQDISC, no flags
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 01 00 ff ff ff ff
                00 00 00 00
                08 00 01 00 74 62 66 00 # TCA_KIND "tbf"
                40 00 02 80             # TCA_OPTIONS, nested, 64
                28 00 01 00             # TCA_TBF_PARMS
                00 01 00 00 00 00 00 00
                ff ff ff ff             # rate: as much as 32 bits can say
                00 00 00 00 00 00 00 00
                00 00 00 00
                00 00 10 00             # limit 1 MiB
                09 3d 00 00             # buffer 15,625 ticks: 1 ms
                00 00 00 00
                0c 00 04 00             # TCA_TBF_RATE64
                00 dd 0e e9 02 00 00 00 # 12,500,000,000 B/s
                08 00 06 00 20 bc be 00 # TCA_TBF_BURST 12,500,000 B
                """)
    }

    @Test func hierarchy() {
        let queue = TrafficQueue(.hierarchy(defaultMinor: 0x10), handle: TrafficHandle(1))
        expect(
            queue.message(.add, on: someInterface),
            is: """
                48 00 00 00 24 00 00 06 # RTM_NEWQDISC
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 01 00 ff ff ff ff
                00 00 00 00
                08 00 01 00 68 74 62 00 # TCA_KIND "htb"
                1c 00 02 80             # TCA_OPTIONS, nested, 28
                18 00 02 00             # TCA_HTB_INIT, 24
                03 00 00 00             # version 3
                0a 00 00 00             # rate2quantum 10
                10 00 00 00             # defcls :10
                00 00 00 00 00 00 00 00 # debug, direct_pkts
                """)
    }

    @Test func hierarchyClass() {
        let trafficClass = TrafficClass(
            handle: TrafficHandle(1, 0x10), parent: TrafficHandle(1, 1), rate: ByteRate(bytesPerSecond: 1_250_000_000),
            ceiling: ByteRate(bytesPerSecond: 12_500_000_000), burst: 1_250_000, quantum: 1500)
        expect(
            trafficClass.message(.replace, on: someInterface),
            is: """
                6c 00 00 00 28 00 00 05 # RTM_NEWTCLASS, NLM_F_CREATE, NLM_F_REPLACE
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                10 00 01 00             # tcm_handle 1:10
                01 00 01 00             # tcm_parent 1:1
                00 00 00 00
                08 00 01 00 68 74 62 00 # TCA_KIND "htb"
                40 00 02 80             # TCA_OPTIONS, nested, 64
                30 00 01 00             # TCA_HTB_PARMS, 48
                00 01 00 00 00 00 00 00
                80 7c 81 4a             # rate 1,250,000,000 B/s
                00 01 00 00 00 00 00 00
                ff ff ff ff             # ceil: as much as 32 bits can say
                09 3d 00 00             # buffer 15,625 ticks: 1 ms
                1a 06 00 00             # cbuffer 1562 ticks: 0.1 ms
                dc 05 00 00             # quantum 1500 B
                00 00 00 00 00 00 00 00 # level, prio
                0c 00 07 00             # TCA_HTB_CEIL64
                00 dd 0e e9 02 00 00 00 # 12,500,000,000 B/s
                """)
    }

    @Test(arguments: [
        (QueueDiscipline.packetFIFO(packets: 50), "0a 00 01 00 70 66 69 66 6f 00 00 00", "32 00 00 00"),
        (.packetFIFO(packets: 0), "0a 00 01 00 70 66 69 66 6f 00 00 00", "00 00 00 00"),
        (.byteFIFO(bytes: 65_536), "0a 00 01 00 62 66 69 66 6f 00 00 00", "00 00 01 00"),
    ])
    func queuesOfOneLimit(discipline: QueueDiscipline, kind: String, limit: String) {
        let queue = TrafficQueue(discipline, handle: TrafficHandle(3), parent: TrafficHandle(2, 1))
        expect(
            queue.message(.replace, on: someInterface),
            is: """
                38 00 00 00 24 00 00 05
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 03 00             # tcm_handle 3:
                01 00 02 00             # tcm_parent 2:1
                00 00 00 00
                \(kind)                 # TCA_KIND
                08 00 02 00             # TCA_OPTIONS
                \(limit)                # limit
                """)
    }

    /// As headwind-sandbox has it on its TUNs: the kernel chooses the length.
    @Test func queueOfTheInterfacesLength() {
        expect(
            TrafficQueue(.packetFIFO(packets: nil)).message(.replace, on: someInterface),
            is: """
                30 00 00 00 24 00 00 05
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 00 00 ff ff ff ff
                00 00 00 00
                0a 00 01 00 70 66 69 66 6f 00 00 00 # TCA_KIND "pfifo"
                """)
    }

    @Test func ingressAndItsRemoval() {
        let queue = TrafficQueue(.ingress, handle: TrafficHandle(0xffff), parent: .ingress)
        expect(
            queue.message(.add, on: someInterface),
            is: """
                30 00 00 00 24 00 00 06
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 ff ff             # tcm_handle ffff:
                f1 ff ff ff             # tcm_parent TC_H_INGRESS
                00 00 00 00
                0c 00 01 00 69 6e 67 72 65 73 73 00 # TCA_KIND "ingress"
                """)
        expect(
            queue.message(.delete, on: someInterface),
            is: """
                30 00 00 00 25 00 00 00 # RTM_DELQDISC
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 ff ff f1 ff ff ff
                00 00 00 00
                0c 00 01 00 69 6e 67 72 65 73 73 00
                """)
    }
}
