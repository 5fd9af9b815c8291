import CNetlinkRoute
import Netlink
import SystemPackage
import Testing

/// libnl-route builds the same messages, wherever it supports them and is correct.
@Suite struct SecondOpinionTests {
    /// The attributes of a message that libnl-route built, after a fixed part of `size` bytes.
    private func attributes(_ built: OpaquePointer?, after size: Int) throws -> ReceivedAttributes {
        let message = try #require(built)
        defer { nlmsg_free(message) }
        let header = try #require(nlmsg_hdr(message) as UnsafeMutablePointer<nlmsghdr>?)
        let bytes = UnsafeRawBufferPointer(start: header, count: Int(header.pointee.nlmsg_len))
        return ReceivedAttributes(ReceivedBytes(Array(bytes.dropFirst(16 + size))))
    }

    private func attributes(_ message: RouteMessage) -> ReceivedAttributes {
        ReceivedAttributes(ReceivedBytes(message.attributes.bytes))
    }

    @Test func pair() throws {
        let link = try #require(rtnl_link_veth_alloc())
        defer { rtnl_link_veth_release(link) }
        let peer = try #require(rtnl_link_veth_get_peer(link))
        defer { rtnl_link_put(peer) }
        rtnl_link_set_name(link, "router0")
        rtnl_link_set_name(peer, "client0")
        rtnl_link_set_ns_fd(peer, 9)
        var built: OpaquePointer?
        try #require(rtnl_link_build_add_request(link, NLM_F_CREATE, &built) == 0)
        let theirs = try attributes(built, after: 16)
        let ours = attributes(
            VirtualInterface.pair(
                try InterfaceName("router0"), try InterfaceName("client0"),
                peerNamespace: FileDescriptor(rawValue: 9)))
        #expect(theirs[Int(IFLA_IFNAME)] == ours[Int(IFLA_IFNAME)])
        let information = (theirs.nested(Int(IFLA_LINKINFO)), ours.nested(Int(IFLA_LINKINFO)))
        #expect(information.0[Int(IFLA_INFO_KIND)] == information.1[Int(IFLA_INFO_KIND)])
        let peers = [information.0, information.1].map {
            ReceivedAttributes($0.nested(Int(IFLA_INFO_DATA))[1]?.dropFirst(16) ?? ReceivedBytes([]))
        }
        for type in [IFLA_IFNAME, IFLA_NET_NS_FD] {
            #expect(peers[0][Int(type)] == peers[1][Int(type)] && peers[1][Int(type)] != nil)
        }
        // libnl-route cannot set this: packets as they are on the wire, at both ends.
        #expect(ours[Int(IFLA_GSO_MAX_SEGS)]?.integer() == UInt32(1))
        #expect(peers[1][Int(IFLA_GSO_MAX_SEGS)]?.integer() == UInt32(1))
    }

    @Test func tokenBucket() throws {
        let queue = try #require(rtnl_qdisc_alloc())
        defer { rtnl_qdisc_put(queue) }
        // Without an interface and a parent, libnl-route ends the process.
        rtnl_tc_set_ifindex(queue, 7)
        rtnl_tc_set_parent(queue, TrafficHandle.root.number)
        try #require(rtnl_tc_set_kind(queue, "tbf") == 0)
        rtnl_qdisc_tbf_set_rate(queue, 125_000, 3000, 8)
        rtnl_qdisc_tbf_set_limit(queue, 75_000)
        var built: OpaquePointer?
        try #require(rtnl_qdisc_build_add_request(queue, NLM_F_CREATE, &built) == 0)
        let theirs = try attributes(built, after: 20).nested(Int(TCA_OPTIONS))
        let bucket = TokenBucket(rate: ByteRate(bytesPerSecond: 125_000), burst: 3000, limit: 75_000)
        let ours = attributes(TrafficQueue(.tokenBucket(bucket)).message(.add, on: someInterface))
            .nested(Int(TCA_OPTIONS))
        let parameters = [theirs, ours].map { $0[Int(TCA_TBF_PARMS)] }
        // Rate, limit and burst, the last in ticks.
        for offset in [8, 24, 28] {
            let numbers = parameters.map { $0?.integer(at: offset, as: UInt32.self) }
            #expect(numbers[0] == numbers[1] && numbers[1] != nil, "at \(offset)")
        }
    }

    @Test func hierarchyClass() throws {
        let trafficClass = try #require(rtnl_class_alloc())
        defer { rtnl_class_put(trafficClass) }
        try #require(rtnl_tc_set_kind(trafficClass, "htb") == 0)
        rtnl_tc_set_ifindex(trafficClass, 7)
        rtnl_tc_set_parent(trafficClass, TrafficHandle(1).number)
        rtnl_tc_set_handle(trafficClass, TrafficHandle(1, 0x10).number)
        rtnl_htb_set_rate64(trafficClass, 125_000)
        rtnl_htb_set_ceil64(trafficClass, 12_500_000_000)
        rtnl_htb_set_rbuffer(trafficClass, 3000)
        rtnl_htb_set_cbuffer(trafficClass, 3000)
        rtnl_htb_set_quantum(trafficClass, 1500)
        var built: OpaquePointer?
        try #require(rtnl_class_build_add_request(trafficClass, NLM_F_CREATE, &built) == 0)
        let theirs = try attributes(built, after: 20).nested(Int(TCA_OPTIONS))
        let wanted = TrafficClass(
            handle: TrafficHandle(1, 0x10), parent: TrafficHandle(1), rate: ByteRate(bytesPerSecond: 125_000),
            ceiling: ByteRate(bytesPerSecond: 12_500_000_000), burst: 3000, quantum: 1500)
        let ours = attributes(wanted.message(.add, on: someInterface)).nested(Int(TCA_OPTIONS))
        let parameters = [theirs, ours].map { $0[Int(TCA_HTB_PARMS)] }
        // Both rates, both buffers in ticks, the quantum.
        for offset in [8, 20, 24, 32] {
            let numbers = parameters.map { $0?.integer(at: offset, as: UInt32.self) }
            #expect(numbers[0] == numbers[1] && numbers[1] != nil, "at \(offset)")
        }
        #expect(theirs[Int(TCA_HTB_CEIL64)] == ours[Int(TCA_HTB_CEIL64)] && ours[Int(TCA_HTB_CEIL64)] != nil)
    }

    @Test func netem() throws {
        let queue = try #require(rtnl_qdisc_alloc())
        defer { rtnl_qdisc_put(queue) }
        // Without an interface and a parent, libnl-route ends the process.
        rtnl_tc_set_ifindex(queue, 7)
        rtnl_tc_set_parent(queue, TrafficHandle.root.number)
        try #require(rtnl_tc_set_kind(queue, "netem") == 0)
        var netem = Netem(limit: 5000)
        netem.delay = 100_000_000
        netem.jitter = 10_000_000
        netem.loss = .random(Probability(partsPerBillion: 10_000_000))
        netem.duplicate = Probability(partsPerBillion: 600_000_000)
        netem.reorder = Probability(partsPerBillion: 250_000_000)
        netem.corrupt = .always
        rtnl_netem_set_limit(queue, 5000)
        rtnl_netem_set_delay(queue, 100_000)
        rtnl_netem_set_jitter(queue, 10_000)
        rtnl_netem_set_loss(queue, 42_949_673)
        rtnl_netem_set_duplicate(queue, Int32(bitPattern: netem.duplicate.share))
        rtnl_netem_set_reorder_probability(queue, 1_073_741_824)
        rtnl_netem_set_corruption_probability(queue, -1)
        var built: OpaquePointer?
        try #require(rtnl_qdisc_build_add_request(queue, NLM_F_CREATE, &built) == 0)
        let theirs = try #require(try attributes(built, after: 20)[Int(TCA_OPTIONS)])
        let ours = try #require(
            attributes(TrafficQueue(.netem(netem)).message(.add, on: someInterface))[Int(TCA_OPTIONS)])
        #expect(theirs[0..<24] == ours[0..<24])
        let behind = [theirs, ours].map { ReceivedAttributes($0.dropFirst(24)) }
        for type in [TCA_NETEM_REORDER, TCA_NETEM_CORRUPT] {
            #expect(behind[0][Int(type)] == behind[1][Int(type)] && behind[1][Int(type)] != nil)
        }
    }
}
