import Netlink

/// Filters that match queries to name servers: packets to port 53, by UDP, or by TCP with PSH.
///
/// They match IPv4 without options and IPv6 without extension headers. Over TCP, the last segment of a query has PSH;
/// handshakes and acknowledgements are not delayed. Later fragments of a datagram have no port, and are not matched.
enum QueryFilters {
    static func all(below parent: TrafficHandle, to target: TrafficHandle) -> [TrafficFilter] {
        let ipv4 = [TrafficFilter.Match(0x4500_0000, mask: 0xff00_0000, at: 0), .init(0, mask: 0x1fff, at: 4)]
        let datagram = [TrafficFilter.Match(UInt32(udp) << 16, mask: 0x00ff_0000, at: 8), port(at: 20)]
        let segment = [TrafficFilter.Match(UInt32(tcp) << 16, mask: 0x00ff_0000, at: 8), port(at: 20), push(at: 32)]
        let datagram6 = [TrafficFilter.Match(UInt32(udp) << 8, mask: 0xff00, at: 4), port(at: 40)]
        let segment6 = [TrafficFilter.Match(UInt32(tcp) << 8, mask: 0xff00, at: 4), port(at: 40), push(at: 52)]
        let kinds: [(TrafficFilter.NetworkProtocol, [TrafficFilter.Match])] = [
            (.ipv4, ipv4 + datagram), (.ipv4, ipv4 + segment),
            (.ipv6, datagram6), (.ipv6, segment6),
        ]
        // Each has a priority of its own, because a priority has one protocol.
        return kinds.enumerated().map { index, kind in
            TrafficFilter(
                parent: parent, priority: UInt16(index + 1), kind.0, matches: kind.1, .classify(target))
        }
    }

    private static let tcp: UInt8 = 6
    private static let udp: UInt8 = 17

    /// Matches port 53 as the destination, in the transport header at `offset`.
    private static func port(at offset: Int32) -> TrafficFilter.Match { .init(53, mask: 0xffff, at: offset) }

    /// Matches PSH, in the fourteenth byte of TCP's header; `offset` is that of its word.
    private static func push(at offset: Int32) -> TrafficFilter.Match {
        .init(0x0008_0000, mask: 0x0008_0000, at: offset)
    }
}
