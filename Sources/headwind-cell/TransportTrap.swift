import CNetlink
import CellMessages
import Glibc
import SystemPackage

/// Where TCP of the client goes that is not let in yet, and how it is let in: into the host's network, as its own.
///
/// See ip-rule(8). For use in the host's network namespace.
struct TransportTrap {
    private static let name = "trap0"
    /// Routes of the trap, and routes by which everything is local.
    private static let trapTable: UInt8 = 101
    private static let localTable: UInt8 = 100
    private static let admitPriority: UInt32 = 1000
    private static let trapPriority: UInt32 = 3000

    /// Gives the packets and takes them.
    let descriptor: FileDescriptor

    /// Makes it, after the way outside has been made.
    ///
    /// Throws where the kernel has no rules for routes: then TCP goes the way of all packets.
    init(
        _ request: CellRequest.Attach, by socket: borrowing RouteSocket, queueLength: Int
    ) throws(CellReply.Failure) {
        let trap = try Interface(Self.name)
        descriptor = trap.descriptor
        do {
            try Interface.prepare(trap.index, by: socket, mtu: nil, queueLength: queueLength)
            try socket.bringUp(trap.index)
            for setting in ["all", Self.name] {
                let path = FilePath("/proc/sys/net/ipv4/conf/\(setting)/rp_filter")
                // What comes back out of the trap has come in by the link before.
                let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
                try file.closeAfter { _ = try file.writeAll("0".utf8) }
            }
            for family in [AF_INET] + (request.hasIPv6 ? [AF_INET6] : []) {
                try Self.addRoute(Self.localTable, RTN_LOCAL, family: family, over: 1, by: socket)
                try Self.addRoute(Self.trapTable, RTN_UNICAST, family: family, over: trap.index, by: socket)
                try Self.addRule(Self.trapTable, Self.trapPriority, family: family, by: socket) {
                    $0.add(Int(FRA_IIFNAME), Interface.name)
                }
            }
        } catch {
            try? descriptor.close()
            throw .init(.route, error as? Errno ?? .ioError, detail: "for connections")
        }
    }

    /// Lets connections to an end in.
    static func admit(_ request: CellRequest.Admit, by socket: borrowing RouteSocket) throws(CellReply.Failure) {
        guard [4, 16].contains(request.address.count) else { throw .init(.route, .invalidArgument) }
        let ports = [request.port, request.port]
        do {
            try addRule(
                localTable, admitPriority, family: request.address.count == 4 ? AF_INET : AF_INET6, by: socket,
                prefix: UInt8(request.address.count * 8)
            ) { message in
                message.add(Int(FRA_DST), request.address)
                message.add(Int(FRA_DPORT_RANGE), unsafe ports.withUnsafeBytes { unsafe Array($0) })
            }
        } catch {
            guard error != .fileExists else { return }
            throw .init(.route, error, detail: "for connections")
        }
    }

    private static func addRoute(
        _ table: UInt8, _ type: Int, family: Int32, over index: UInt32, by socket: borrowing RouteSocket
    ) throws(Errno) {
        let scope = type == RTN_LOCAL ? RT_SCOPE_HOST : family == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE
        var header = Interface.routeHeader(prefix: 0, family: family, scope: Int(scope.rawValue))
        header.rtm_table = table
        header.rtm_type = UInt8(type)
        try socket.request(Int32(RTM_NEWROUTE), flags: NLM_F_CREATE | NLM_F_EXCL, header: header) {
            $0.add(Int(RTA_OIF.rawValue), index)
        }
    }

    /// A rule for TCP.
    private static func addRule(
        _ table: UInt8, _ priority: UInt32, family: Int32, by socket: borrowing RouteSocket, prefix: UInt8 = 0,
        _ attributes: (borrowing RouteMessage) -> Void
    ) throws(Errno) {
        let header = fib_rule_hdr(
            family: UInt8(family), dst_len: prefix, src_len: 0, tos: 0, table: table, res1: 0, res2: 0,
            action: UInt8(FR_ACT_TO_TBL), flags: 0)
        try socket.request(Int32(RTM_NEWRULE), flags: NLM_F_CREATE | NLM_F_EXCL, header: header) { message in
            message.add(Int(FRA_PRIORITY), priority)
            message.add(Int(FRA_IP_PROTO), UInt8(IPPROTO_TCP))
            attributes(message)
        }
    }
}
