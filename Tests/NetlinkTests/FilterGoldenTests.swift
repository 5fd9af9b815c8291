import Netlink
import Testing

/// Filters, as the kernel reads them.
@Suite struct FilterGoldenTests {
    /// Sends all incoming packets out through interface 9.
    @Test func redirection() {
        let filter = TrafficFilter(
            parent: TrafficHandle(0xffff), priority: 1, .all, matches: [.any], .redirect(9))
        expect(
            filter.message(.add, on: someInterface),
            is: """
                8c 00 00 00 2c 00 00 06 # RTM_NEWTFILTER
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 00 00             # tcm_handle: the kernel chooses
                00 00 ff ff             # tcm_parent ffff:
                00 03 01 00             # tcm_info: priority 1, ETH_P_ALL as on the wire
                08 00 01 00 75 33 32 00 # TCA_KIND "u32"
                60 00 02 80             # TCA_OPTIONS, nested, 96
                24 00 05 00             # TCA_U32_SEL, 36
                01 00 01 00             # TC_U32_TERMINAL, one key
                00 00 00 00 00 00 00 00 # no variable offsets
                00 00 00 00
                00 00 00 00 00 00 00 00 # mask, value: any
                00 00 00 00 00 00 00 00 # at the start of the header
                38 00 07 80             # TCA_U32_ACT, nested, 56
                34 00 01 80             # the first of the list, nested, 52
                0b 00 01 00 6d 69 72 72 65 64 00 00 # TCA_ACT_KIND "mirred"
                24 00 02 80             # TCA_ACT_OPTIONS, nested, 36
                20 00 02 00             # TCA_MIRRED_PARMS, 32
                00 00 00 00 00 00 00 00 # index, capab
                04 00 00 00             # TC_ACT_STOLEN
                00 00 00 00 00 00 00 00 # refcnt, bindcnt
                01 00 00 00             # TCA_EGRESS_REDIR
                09 00 00 00             # ifindex 9
                """)
    }

    @Test func classification() {
        let filter = TrafficFilter(
            parent: TrafficHandle(1), priority: 2, .ipv6,
            matches: [.init(0x1100, mask: 0xff00, at: 4), .init(53, mask: 0xffff, at: 40)],
            .classify(TrafficHandle(1, 0x20)))
        expect(
            filter.message(.add, on: someInterface),
            is: """
                6c 00 00 00 2c 00 00 06 # RTM_NEWTFILTER
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 00 00 00 00 01 00 # tcm_parent 1:
                86 dd 02 00             # tcm_info: priority 2, ETH_P_IPV6 as on the wire
                08 00 01 00 75 33 32 00 # TCA_KIND "u32"
                40 00 02 80             # TCA_OPTIONS, nested, 64
                08 00 01 00 20 00 01 00 # TCA_U32_CLASSID 1:20
                34 00 05 00             # TCA_U32_SEL, 52
                01 00 02 00             # TC_U32_TERMINAL, two keys
                00 00 00 00 00 00 00 00
                00 00 00 00
                00 00 ff 00 00 00 11 00 # mask and value as on the wire: next header 17, UDP
                04 00 00 00 00 00 00 00 # at byte 4
                00 00 ff ff 00 00 00 35 # to port 53
                28 00 00 00 00 00 00 00 # at byte 40
                """)
    }
}
