import CLinux
import CNetlink
import CellMessages
import Glibc
import SystemPackage

/// A TUN interface; that of one end of the link, if nothing else is said.
struct Interface {
    /// The link's name is the same in both ends, which never meet.
    static let name = "link0"

    let index: UInt32
    /// What packets are read from and written to.
    let descriptor: FileDescriptor

    /// Makes it in the current network namespace.
    init(_ name: String = Self.name) throws(CellReply.Failure) {
        let tun: FileDescriptor
        do {
            tun = unsafe try FileDescriptor.open("/dev/net/tun", .readWrite, options: [.nonBlocking, .closeOnExec])
        } catch {
            throw .init(.tunOpen, error as? Errno ?? .ioError, detail: "/dev/net/tun")
        }
        guard unsafe headwind_tun_attach(tun.rawValue, name) == 0 else {
            let error = Errno(rawValue: errno)
            try? tun.close()
            throw .init(.tunAttach, error, detail: name)
        }
        descriptor = tun
        index = unsafe if_nametoindex(name)
    }

    /// Gives it its addresses, brings it up, and makes it the way to everywhere.
    ///
    /// Answers whether it has IPv6, or why not.
    func configure(
        by socket: borrowing RouteSocket, ipv4: [UInt8], ipv6: [UInt8], _ configuration: CellRequest.Configure
    ) throws(CellReply.Failure) -> Errno? {
        do {
            try Self.prepare(index, by: socket, mtu: configuration.mtu, queueLength: configuration.queueLength)
        } catch {
            throw .init(.link, error, detail: "mtu \(configuration.mtu)")
        }
        try add(ipv4, prefix: 30, family: AF_INET, by: socket)
        var missing: Errno?
        do {
            try add(ipv6, prefix: 64, family: AF_INET6, by: socket)
        } catch {
            // EAFNOSUPPORT, EOPNOTSUPP: a kernel without it. EINVAL, EACCES: no IPv6 on an interface of a small MTU.
            missing = error.error
        }
        try up(by: socket)
        try Self.addRoute(over: index, from: ipv4, family: AF_INET, by: socket, configuration)
        if missing == nil {
            try Self.addRoute(over: index, from: ipv6, family: AF_INET6, by: socket, configuration)
        }
        return missing
    }

    /// What must be before an interface is up: with an address of its own making the kernel would send packets of its own.
    static func prepare(
        _ index: UInt32, by socket: borrowing RouteSocket, mtu: Int?, queueLength: Int
    ) throws(Errno) {
        let header = ifinfomsg(
            ifi_family: UInt8(AF_UNSPEC), __ifi_pad: 0, ifi_type: 0, ifi_index: Int32(index), ifi_flags: 0,
            ifi_change: 0)
        try socket.request(Int32(RTM_NEWLINK), header: header) { message in
            if let mtu { message.add(IFLA_MTU, UInt32(mtu)) }
            message.add(IFLA_TXQLEN, UInt32(queueLength))
        }
        // Not possible without IPv6, and then not needed.
        try? socket.request(Int32(RTM_NEWLINK), header: header) { message in
            message.nest(IFLA_AF_SPEC) { families in
                families.nest(Int(AF_INET6)) {
                    $0.add(IFLA_INET6_ADDR_GEN_MODE, UInt8(IN6_ADDR_GEN_MODE_NONE.rawValue))
                }
            }
        }
    }

    private func up(by socket: borrowing RouteSocket) throws(CellReply.Failure) {
        do {
            try socket.bringUp(index)
        } catch {
            throw .init(.link, error, detail: Self.name)
        }
        // Packets in order and none early, whatever net.core.default_qdisc says: a pacing or a dropping queue would be a
        // second link. A kernel without queues has none in the way either.
        let queue = tcmsg(
            tcm_family: UInt8(AF_UNSPEC), tcm__pad1: 0, tcm__pad2: 0, tcm_ifindex: Int32(index), tcm_handle: 0,
            tcm_parent: UInt32.max, tcm_info: 0)
        try? socket.request(Int32(RTM_NEWQDISC), flags: NLM_F_CREATE | NLM_F_REPLACE, header: queue) { message in
            message.add(TCA_KIND, "pfifo")
        }
    }

    private func add(
        _ address: [UInt8], prefix: UInt8, family: Int32, by socket: borrowing RouteSocket
    ) throws(CellReply.Failure) {
        let header = ifaddrmsg(
            ifa_family: UInt8(family), ifa_prefixlen: prefix, ifa_flags: 0,
            ifa_scope: UInt8(RT_SCOPE_UNIVERSE.rawValue),
            ifa_index: index)
        do {
            try socket.request(Int32(RTM_NEWADDR), flags: NLM_F_CREATE | NLM_F_EXCL, header: header) { message in
                message.add(IFA_LOCAL, address)
                message.add(IFA_ADDRESS, address)
                // The one route below leads to the neighbours too, so that its metrics hold for all.
                message.add(IFA_FLAGS, UInt32(IFA_F_NODAD | IFA_F_NOPREFIXROUTE))
            }
        } catch {
            throw .init(.address, error, detail: family == AF_INET ? "IPv4" : "IPv6")
        }
    }

    /// A route with the senders' settings; to everywhere, where no address is given.
    static func addRoute(
        to destination: [UInt8]? = nil, prefix: UInt8 = 0, over index: UInt32, from address: [UInt8], family: Int32,
        by socket: borrowing RouteSocket, _ configuration: CellRequest.Configure
    ) throws(CellReply.Failure) {
        let scope = family == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE
        let header = routeHeader(prefix: prefix, family: family, scope: Int(scope.rawValue))
        do {
            try socket.request(Int32(RTM_NEWROUTE), flags: NLM_F_CREATE | NLM_F_EXCL, header: header) { message in
                if let destination { message.add(Int(RTA_DST.rawValue), destination) }
                message.add(Int(RTA_OIF.rawValue), index)
                message.add(Int(RTA_PREFSRC.rawValue), address)
                message.nest(Int(RTA_METRICS.rawValue)) { metrics in
                    metrics.add(RTAX_CC_ALGO, configuration.congestionControl)
                    metrics.add(RTAX_INITCWND, UInt32(configuration.initialWindow))
                }
            }
        } catch {
            throw .init(.route, error, detail: configuration.congestionControl)
        }
    }

    static func routeHeader(prefix: UInt8, family: Int32, scope: Int) -> rtmsg {
        rtmsg(
            rtm_family: UInt8(family), rtm_dst_len: prefix, rtm_src_len: 0, rtm_tos: 0,
            rtm_table: UInt8(RT_TABLE_MAIN.rawValue), rtm_protocol: UInt8(RTPROT_STATIC), rtm_scope: UInt8(scope),
            rtm_type: UInt8(RTN_UNICAST), rtm_flags: 0)
    }
}

extension RouteSocket {
    /// Brings an interface up.
    ///
    /// See netdevice(7), IFF_UP.
    func bringUp(_ index: UInt32) throws(Errno) {
        let up = UInt32(IFF_UP)
        let header = ifinfomsg(
            ifi_family: UInt8(AF_UNSPEC), __ifi_pad: 0, ifi_type: 0, ifi_index: Int32(index), ifi_flags: up,
            ifi_change: up)
        try request(Int32(RTM_NEWLINK), header: header)
    }
}
