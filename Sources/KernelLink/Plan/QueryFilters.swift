import LinuxSupport
import Netlink

/// Filters that match queries to name servers: packets to port 53, by UDP, or by TCP with PSH.
///
/// They match IPv4 without options and IPv6 without extension headers. Over TCP, the last segment of a query has PSH;
/// handshakes and acknowledgements are not delayed. Later fragments of a datagram have no port, and are not matched.
enum QueryFilters {
    static func all(below parent: TrafficHandle, to target: TrafficHandle) -> [TrafficFilter] {
        let kinds = InternetFamily.allCases.flatMap { family in
            // PSH is in the fourteenth byte of TCP's header.
            let push = TrafficFilter.Match(0x0008_0000, mask: 0x0008_0000, at: family.transportOffset + 12)
            return [(IPProtocol.udp, []), (IPProtocol.tcp, [push])].map { number, flags in
                (family, family.packets(of: number) + [family.port(destination: 53)] + flags)
            }
        }
        // Each has a priority of its own, because a priority has one protocol.
        return kinds.enumerated().map { index, kind in
            TrafficFilter(
                parent: parent, priority: UInt16(index + 1), kind.0.networkProtocol, matches: kind.1,
                .classify(target))
        }
    }
}

extension InternetFamily {
    /// The protocol of its packets in the hardware's header.
    var networkProtocol: TrafficFilter.NetworkProtocol { self == .v4 ? .ipv4 : .ipv6 }

    /// Bytes of its header, without options or extension headers.
    var transportOffset: Int32 { self == .v4 ? 20 : 40 }

    /// Matches packets of a transport protocol, except those with a longer header and later fragments.
    func packets(of number: UInt8) -> [TrafficFilter.Match] {
        switch self {
        case .v4:
            [
                .init(0x4500_0000, mask: 0xff00_0000, at: 0), .init(0, mask: 0x1fff, at: 4),
                .init(UInt32(number) << 16, mask: 0x00ff_0000, at: 8),
            ]
        case .v6: [.init(UInt32(number) << 8, mask: 0xff00, at: 4)]
        }
    }

    /// Matches a port in the header of TCP and UDP.
    func port(source port: UInt16) -> TrafficFilter.Match {
        .init(UInt32(port) << 16, mask: 0xffff_0000, at: transportOffset)
    }

    func port(destination port: UInt16) -> TrafficFilter.Match {
        .init(UInt32(port), mask: 0xffff, at: transportOffset)
    }
}
