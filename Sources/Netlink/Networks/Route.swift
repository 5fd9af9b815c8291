import CNetlink

/// A route to addresses; see ip-route(8).
package struct Route: Hashable, Sendable {
    /// What happens to its packets, with the kernel's numbers (`RTN_UNICAST` and so on).
    package enum Kind: UInt8, Sendable {
        case unicast = 1
        case local = 2
        case blackhole = 6
        case unreachable = 7
    }

    /// How far away its destinations are, with the kernel's numbers (`RT_SCOPE_UNIVERSE` and so on).
    package enum Scope: UInt8, Sendable {
        case universe = 0
        case link = 253
        case host = 254
    }

    /// Settings for senders on it.
    package struct Metrics: Hashable, Sendable {
        /// The name of the congestion control of TCP, which libnl cannot set.
        package var congestionControl: String?
        /// The first congestion window, in segments.
        package var initialWindow: UInt32?

        package init(congestionControl: String? = nil, initialWindow: UInt32? = nil) {
            (self.congestionControl, self.initialWindow) = (congestionControl, initialWindow)
        }
    }

    package var family: InternetFamily
    package var kind = Kind.unicast
    package var scope = Scope.universe
    /// Where it leads; nil (the default) is everywhere.
    package var destination: [UInt8]?
    package var prefixLength: UInt8 = 0
    /// The index of the interface that it goes through.
    package var interface: UInt32?
    package var gateway: [UInt8]?
    /// Whether the gateway is a neighbour even if no address shows it.
    package var isOnLink = false
    /// The address that senders use.
    package var source: [UInt8]?
    /// The number of its routing table; the main one by default.
    package var table = UInt8(RT_TABLE_MAIN.rawValue)
    package var metrics = Metrics()

    package init(_ family: InternetFamily) {
        self.family = family
    }

    /// The request to add it if there is none like it.
    package var addition: RouteMessage { message(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, "add") }
    /// The request to add it, or to replace one like it.
    package var replacement: RouteMessage { message(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE, "set") }
    /// The request to remove it.
    package var removal: RouteMessage { message(RTM_DELROUTE, 0, "remove") }

    private func message(_ type: Int, _ flags: Int32, _ verb: String) -> RouteMessage {
        let isRemoval = type == RTM_DELROUTE
        var header = [family.number, prefixLength, 0, 0, table]
        header += [UInt8(RTPROT_STATIC), scope.rawValue, kind.rawValue]
        header.append(native: isOnLink && !isRemoval ? UInt32(RTNH_F_ONLINK) : 0)
        let version = family == .v4 ? "IPv4" : "IPv6"
        let way = interface.map { " through interface \($0)" } ?? ""
        let purpose = RequestPurpose("\(verb) an \(version) route\(way)")
        return RouteMessage(type, flags: flags, header: header, for: purpose) { attributes in
            if let destination { attributes.add(Int(RTA_DST.rawValue), destination) }
            if let interface { attributes.add(Int(RTA_OIF.rawValue), interface) }
            if let gateway { attributes.add(Int(RTA_GATEWAY.rawValue), gateway) }
            if let source { attributes.add(Int(RTA_PREFSRC.rawValue), source) }
            guard metrics != Metrics() else { return }
            attributes.nest(Int(RTA_METRICS.rawValue)) {
                if let name = metrics.congestionControl { $0.add(Int(RTAX_CC_ALGO), name) }
                if let window = metrics.initialWindow { $0.add(Int(RTAX_INITCWND), window) }
            }
        }
    }
}
