import Netlink
import Testing

/// Messages about interfaces, addresses, routes, rules and neighbours, as the kernel reads them.
@Suite struct NetworkGoldenTests {
    @Test func address() {
        var address = InterfaceAddress(.v6, [0xfd, 0x77] + [UInt8](repeating: 0, count: 13) + [2], prefixLength: 64)
        address.looksForDoubles = false
        address.hasPrefixRoute = false
        expect(
            address.addition(to: 7),
            is: """
                48 00 00 00 14 00 00 06 # RTM_NEWADDR, NLM_F_CREATE, NLM_F_EXCL
                00 00 00 00 00 00 00 00
                0a 40 00 00             # AF_INET6, /64, no flags, RT_SCOPE_UNIVERSE
                07 00 00 00             # ifa_index
                14 00 02 00             # IFA_LOCAL
                fd 77 00 00 00 00 00 00 00 00 00 00 00 00 00 02
                14 00 01 00             # IFA_ADDRESS
                fd 77 00 00 00 00 00 00 00 00 00 00 00 00 00 02
                08 00 08 00 02 02 00 00 # IFA_FLAGS: IFA_F_NODAD, IFA_F_NOPREFIXROUTE
                """)
    }

    @Test func addressThatIsRemoved() {
        expect(
            InterfaceAddress(.v4, [127, 0, 0, 1], prefixLength: 8).removal(from: 1),
            is: """
                20 00 00 00 15 00 00 00 # RTM_DELADDR
                00 00 00 00 00 00 00 00
                02 08 00 00             # AF_INET, /8, no flags, RT_SCOPE_UNIVERSE
                01 00 00 00             # ifa_index
                08 00 02 00 7f 00 00 01 # IFA_LOCAL 127.0.0.1
                """)
    }

    /// A metric can be a text, which libnl cannot set.
    @Test func routeWithMetrics() {
        var route = Route(.v4)
        route.scope = .link
        route.interface = 7
        route.source = [10, 77, 0, 2]
        route.metrics = Route.Metrics(congestionControl: "cubic", initialWindow: 10)
        expect(
            route.addition,
            is: """
                44 00 00 00 18 00 00 06 # RTM_NEWROUTE, NLM_F_CREATE, NLM_F_EXCL
                00 00 00 00 00 00 00 00
                02 00 00 00             # AF_INET, to everywhere
                fe 04 fd 01             # RT_TABLE_MAIN, RTPROT_STATIC, RT_SCOPE_LINK, RTN_UNICAST
                00 00 00 00             # no flags
                08 00 04 00 07 00 00 00 # RTA_OIF
                08 00 07 00 0a 4d 00 02 # RTA_PREFSRC 10.77.0.2
                18 00 08 80             # RTA_METRICS, nested, 24
                0a 00 10 00 63 75 62 69 63 00 00 00 # RTAX_CC_ALGO "cubic"
                08 00 0b 00 0a 00 00 00 # RTAX_INITCWND 10
                """)
    }

    @Test func routeByAGateway() {
        var route = Route(.v4)
        route.destination = [10, 77, 0, 0]
        route.prefixLength = 30
        route.interface = 7
        route.gateway = [10, 77, 2, 1]
        route.isOnLink = true
        let wanted = { (head: String, flags: String) in
            """
            34 00 00 00 \(head)
            00 00 00 00 00 00 00 00
            02 1e 00 00             # AF_INET, /30
            fe 04 00 01             # RT_SCOPE_UNIVERSE
            \(flags)                # rtm_flags
            08 00 01 00 0a 4d 00 00 # RTA_DST 10.77.0.0
            08 00 04 00 07 00 00 00 # RTA_OIF
            08 00 05 00 0a 4d 02 01 # RTA_GATEWAY 10.77.2.1
            """
        }
        expect(route.replacement, is: wanted("18 00 00 05", "04 00 00 00"))
        expect(route.removal, is: wanted("19 00 00 00", "00 00 00 00"))
    }

    @Test func unreachableRoute() {
        var route = Route(.v6)
        route.kind = .unreachable
        expect(
            route.replacement,
            is: """
                1c 00 00 00 18 00 00 05
                00 00 00 00 00 00 00 00
                0a 00 00 00             # AF_INET6
                fe 04 00 07             # RTN_UNREACHABLE
                00 00 00 00
                """)
    }

    @Test func blackholeRoute() {
        var route = Route(.v4)
        route.kind = .blackhole
        (route.destination, route.prefixLength) = ([10, 77, 1, 6], 32)
        expect(
            route.addition,
            is: """
                24 00 00 00 18 00 00 06 # RTM_NEWROUTE, NLM_F_CREATE, NLM_F_EXCL
                00 00 00 00 00 00 00 00
                02 20 00 00             # AF_INET, /32
                fe 04 00 06             # RTN_BLACKHOLE
                00 00 00 00
                08 00 01 00 0a 4d 01 06 # RTA_DST 10.77.1.6
                """)
    }

    @Test func rule() {
        var rule = RoutingRule(.v4, table: 100, priority: 1000)
        rule.transport = 6
        rule.incomingInterface = "link0"
        rule.destination = [192, 0, 2, 1]
        rule.destinationPort = 443
        expect(
            rule.addition,
            is: """
                48 00 00 00 20 00 00 06 # RTM_NEWRULE, NLM_F_CREATE, NLM_F_EXCL
                00 00 00 00 00 00 00 00
                02 20 00 00             # AF_INET, /32
                64 00 00 01             # table 100, FR_ACT_TO_TBL
                00 00 00 00
                08 00 06 00 e8 03 00 00 # FRA_PRIORITY 1000
                05 00 16 00 06 00 00 00 # FRA_IP_PROTO TCP
                0a 00 03 00 6c 69 6e 6b 30 00 00 00 # FRA_IIFNAME "link0"
                08 00 01 00 c0 00 02 01 # FRA_DST 192.0.2.1
                08 00 18 00 bb 01 bb 01 # FRA_DPORT_RANGE 443 to 443
                """)
    }

    @Test func unreachableRule() {
        let rule = RoutingRule(.v6, .unreachable, priority: 1)
        let rest = """
            00 00 00 00 00 00 00 00
            0a 00 00 00             # AF_INET6
            00 00 00 07             # FR_ACT_UNREACHABLE
            00 00 00 00
            08 00 06 00 01 00 00 00 # FRA_PRIORITY 1
            """
        expect(rule.addition, is: "24 00 00 00 20 00 00 06 # RTM_NEWRULE, NLM_F_CREATE, NLM_F_EXCL\n" + rest)
        expect(rule.removal, is: "24 00 00 00 21 00 00 00 # RTM_DELRULE\n" + rest)
    }

    @Test func neighbour() {
        let neighbour = Neighbour(.v4, [10, 77, 2, 1], hardware: [0x9a, 0x55, 0x9a, 0x55, 0x9a, 0x55])
        expect(
            neighbour.replacement(on: 7),
            is: """
                30 00 00 00 1c 00 00 05 # RTM_NEWNEIGH, NLM_F_CREATE, NLM_F_REPLACE
                00 00 00 00 00 00 00 00
                02 00 00 00 07 00 00 00 # AF_INET, ndm_ifindex
                80 00 00 00             # NUD_PERMANENT
                08 00 01 00 0a 4d 02 01 # NDA_DST
                0a 00 02 00 9a 55 9a 55 9a 55 00 00 # NDA_LLADDR
                """)
    }

    @Test func interfaceWithoutNeighbourDiscovery() {
        let change = InterfaceChange(
            asksForNeighbours: false, hasMulticast: false, hardware: [2, 0x77, 0, 0, 0, 1])
        expect(
            change.message(for: 7),
            is: """
                2c 00 00 00 10 00 00 00 # RTM_NEWLINK
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00 # ifi_index
                80 00 00 00 80 10 00 00 # IFF_NOARP, and no IFF_MULTICAST
                0a 00 01 00 02 77 00 00 00 01 00 00 # IFLA_ADDRESS
                """)
    }

    @Test func interfaceThatChanges() {
        let change = InterfaceChange(mtu: 1400, queueLength: 4096, mostSegments: 1)
        expect(
            change.message(for: 7),
            is: """
                38 00 00 00 10 00 00 00 # RTM_NEWLINK
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00 # ifi_index
                00 00 00 00 00 00 00 00 # no flag changes
                08 00 04 00 78 05 00 00 # IFLA_MTU 1400
                08 00 0d 00 00 10 00 00 # IFLA_TXQLEN 4096
                08 00 28 00 01 00 00 00 # IFLA_GSO_MAX_SEGS 1
                """)
        expect(
            InterfaceChange(isUp: true).message(for: 7),
            is: """
                20 00 00 00 10 00 00 00
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                01 00 00 00 01 00 00 00 # IFF_UP, and that it changes
                """)
        expect(
            InterfaceChange(makesAddresses: false).message(for: 7),
            is: """
                30 00 00 00 10 00 00 00
                00 00 00 00 00 00 00 00
                00 00 00 00 07 00 00 00
                00 00 00 00 00 00 00 00
                10 00 1a 80             # IFLA_AF_SPEC, nested, 16
                0c 00 0a 80             # AF_INET6, nested, 12
                05 00 08 00 01 00 00 00 # IFLA_INET6_ADDR_GEN_MODE: none
                """)
    }

    @Test(
        arguments: [
            ("eth0", nil), ("fifteen-bytes-x", nil), ("wlan-ä", nil), ("", "it is empty"),
            ("sixteen-bytes-xy", "it has 16 bytes; the maximum is 15"), ("..", "it is the name of a folder"),
            ("a b", "white space"), ("a/b", "white space"), ("a:b", "white space"), ("a\0b", "control character"),
            ("a\u{1b}[2J", "control character"), ("\u{7f}", "control character"),
        ] as [(String, String?)])
    func interfaceNames(text: String, reason: String?) throws {
        guard let reason else {
            #expect(try InterfaceName(text).description == text)
            return
        }
        let error = #expect(throws: InterfaceName.Unfit.self) { try InterfaceName(text) }
        let sentence = try #require(error?.description)
        #expect(sentence.hasPrefix("Could not use \"") && sentence.contains(reason))
        #expect(!sentence.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
}
