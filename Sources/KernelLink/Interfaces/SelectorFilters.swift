import LinkModel
import LinuxSupport
import Netlink

/// The filters that match excepted packets, and those of rules; see docs/reference/link.md.
enum SelectorFilters {
    /// The priorities by which Headwind recognises its filters; no program takes them by chance.
    enum Priority {
        /// Exceptions for hardware addresses.
        static let hardware: UInt16 = 0x4853
        static let arp: UInt16 = 0x4854
        static let ipv4: UInt16 = 0x4855
        static let ipv6: UInt16 = 0x4856
        /// All other traffic if there are no rules, so that it is the last.
        static let redirection: UInt16 = 0x4857
        /// Where the priorities of rules begin; each rule has two, because a priority has one protocol.
        static let rules: UInt16 = 0x4858
        /// All other traffic if there are rules.
        static let lastRedirection: UInt16 = 0x4fff
        static let all = hardware...lastRedirection
    }

    /// The filters at `parent` that send excepted packets to `target`; none if nothing is excepted.
    ///
    /// Excepted traffic needs neighbours and an address. So ARP, the discovery of neighbours and routers, and DHCP are
    /// excepted too.
    static func all(
        _ exceptions: [LinkSelector], _ direction: Direction, below parent: TrafficHandle, to target: TrafficHandle
    ) -> [TrafficFilter] {
        guard !exceptions.isEmpty else { return [] }
        func filter(_ family: InternetFamily, _ matches: [TrafficFilter.Match]) -> TrafficFilter {
            TrafficFilter(
                parent: parent, priority: family == .v4 ? Priority.ipv4 : Priority.ipv6, family.networkProtocol,
                matches: matches, .classify(target))
        }
        let arp = TrafficFilter(
            parent: parent, priority: Priority.arp, .arp, matches: [.any], .classify(target))
        let neighbours = (133...137).map { kind in
            filter(
                .v6,
                InternetFamily.v6.packets(of: IPProtocol.icmp6)
                    + [.init(UInt32(kind) << 24, mask: 0xff00_0000, at: InternetFamily.v6.transportOffset)])
        }
        let leases =
            ports(67, of: .v4, by: [IPProtocol.udp]).map { filter(.v4, $0) }
            + ports(547, of: .v6, by: [IPProtocol.udp]).map { filter(.v6, $0) }
        let wanted = exceptions.flatMap { exception -> [TrafficFilter] in
            matches(exception, direction).map { family, matches in
                if let family { return filter(family, matches) }
                return TrafficFilter(
                    parent: parent, priority: Priority.hardware, .all, matches: matches, .classify(target))
            }
        }
        return [arp] + neighbours + leases + wanted
    }

    /// The filters of the rule in a slot.
    static func rule(
        _ selector: LinkSelector, _ direction: Direction, slot: RuleSlot, below parent: TrafficHandle,
        _ action: TrafficFilter.Action
    ) -> [TrafficFilter] {
        matches(selector, direction).map { family, matches in
            TrafficFilter(
                parent: parent, priority: slot.priority(of: family), family?.networkProtocol ?? .all,
                matches: matches, action)
        }
    }

    /// The alternatives that a selector matches; without a family: any protocol in the hardware's header.
    private static func matches(
        _ selector: LinkSelector, _ direction: Direction
    ) -> [(InternetFamily?, [TrafficFilter.Match])] {
        switch selector {
        case .port(let port):
            InternetFamily.allCases.flatMap { family in
                ports(port, of: family, by: [IPProtocol.tcp, IPProtocol.udp]).map { (family, $0) }
            }
        case .network(let address, let length): [(address.family, network(address.bytes, length, direction))]
        case .hardware(let bytes): [(nil, hardware(bytes, direction))]
        }
    }

    /// Matches the peer's address: the destination of outgoing packets, the source of incoming ones.
    private static func network(_ bytes: [UInt8], _ length: UInt8, _ direction: Direction) -> [TrafficFilter.Match] {
        let isOld = bytes.count == 4
        let source: Int32 = isOld ? 12 : 8
        let start = direction == .uplink ? source + Int32(bytes.count) : source
        let words = stride(from: 0, to: bytes.count, by: 4).map { index in
            let bits = max(0, min(32, Int(length) - index * 8))
            let mask = UInt32(truncatingIfNeeded: UInt64(0xffff_ffff_0000_0000) >> bits)
            return TrafficFilter.Match(word(bytes[index..<index + 4]), mask: mask, at: start + Int32(index))
        }
        let telling = words.filter { $0.mask != 0 }
        return telling.isEmpty ? [.any] : telling
    }

    /// Matches the peer's address in Ethernet's header, which is 14 bytes in front of the IP header: destination,
    /// source, type.
    private static func hardware(_ bytes: [UInt8], _ direction: Direction) -> [TrafficFilter.Match] {
        direction == .uplink
            ? [.init(word(bytes[..<2]), mask: 0xffff, at: -16), .init(word(bytes[2...]), mask: .max, at: -12)]
            : [.init(word(bytes[..<4]), mask: .max, at: -8), .init(word(bytes[4...]) << 16, mask: 0xffff_0000, at: -4)]
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// Matches a port on either side.
    private static func ports(
        _ port: UInt16, of family: InternetFamily, by protocols: [UInt8]
    ) -> [[TrafficFilter.Match]] {
        protocols.flatMap { number in
            [family.port(source: port), family.port(destination: port)].map { family.packets(of: number) + [$0] }
        }
    }
}
