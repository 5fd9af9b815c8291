import Netlink
import Testing

/// Messages that mark interfaces and restore queues, as the kernel reads them.
@Suite struct MarkGoldenTests {
    @Test func aliasHasNoTerminator() {
        expect(
            InterfaceChange(alias: "headwind 1").message(for: 7),
            is: """
                30 00 00 00 10 00 00 00 # RTM_NEWLINK
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00 # ifi_index
                00 00 00 00 00 00 00 00 # no flags
                0e 00 14 00 68 65 61 64 77 69 6e 64 20 31 00 00 # IFLA_IFALIAS, 14
                """)
    }

    @Test func groupIsSetFromTheStart() throws {
        expect(
            VirtualInterface.intermediate(try InterfaceName("hwin7"), group: 0x4857),
            is: """
                48 00 00 00 10 00 00 06 # RTM_NEWLINK, NLM_F_CREATE, NLM_F_EXCL
                00 00 00 00 00 00 00 00
                00 00 00 00 00 00 00 00
                00 00 00 00 00 00 00 00
                0a 00 03 00 68 77 69 6e 37 00 00 00 # IFLA_IFNAME
                08 00 28 00 01 00 00 00 # IFLA_GSO_MAX_SEGS 1
                0c 00 12 80             # IFLA_LINKINFO, nested
                08 00 01 00 69 66 62 00 # IFLA_INFO_KIND "ifb"
                08 00 1b 00 57 48 00 00 # IFLA_GROUP
                """)
    }

    @Test func aQueueIsRestoredAsItWasReported() {
        expect(
            .restoration(of: "pfifo", TrafficHandle(0x8001), options: [9, 0, 0, 0], on: someInterface),
            is: """
                38 00 00 00 24 00 00 06 # RTM_NEWQDISC, NLM_F_CREATE, NLM_F_EXCL
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 01 80             # tcm_handle 8001:
                ff ff ff ff             # TC_H_ROOT
                00 00 00 00
                0a 00 01 00 70 66 69 66 6f 00 00 00 # TCA_KIND "pfifo"
                08 00 02 00 09 00 00 00 # TCA_OPTIONS
                """)
    }
}
