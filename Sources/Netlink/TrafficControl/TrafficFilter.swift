import CNetlink

/// A filter of u32: an action for packets that match; see tc-u32(8).
package struct TrafficFilter: Hashable, Sendable {
    /// The name of the kind in tc(8).
    package static let kind = "u32"

    package enum Action: Hashable, Sendable {
        /// They go to a class of the filter's queue.
        case classify(TrafficHandle)
        /// They leave through another interface, by its index, and are gone here; see tc-mirred(8).
        case redirect(UInt32)
    }

    /// The packets that it looks at, by the protocol in the hardware's header (`ETH_P_ALL` and so on).
    package enum NetworkProtocol: UInt16, Sendable {
        case all = 0x0003
        case ipv4 = 0x0800
        case ipv6 = 0x86DD
        case arp = 0x0806

        /// The protocol of a filter that the kernel reports, see ``InstalledTraffic/info``; nil for others.
        package init?(info: UInt32) {
            self.init(rawValue: UInt16(bigEndian: UInt16(truncatingIfNeeded: info)))
        }
    }

    /// Four bytes of a packet that must have this value where `mask` has ones.
    package struct Match: Hashable, Sendable {
        package var value: UInt32
        package var mask: UInt32
        /// Distance from the start of the IP header; a multiple of four.
        package var offset: Int32

        package init(_ value: UInt32, mask: UInt32, at offset: Int32) {
            precondition(offset.isMultiple(of: 4), "u32 looks at four bytes at a time")
            (self.value, self.mask, self.offset) = (value & mask, mask, offset)
        }

        /// Every packet.
        package static let any = Match(0, mask: 0, at: 0)
    }

    /// The queue whose packets it looks at.
    package var parent: TrafficHandle
    /// Filters with a lower number come first.
    package var priority: UInt16
    package var networkProtocol: NetworkProtocol
    /// The matches that must all hold: 1 to 128.
    package var matches: [Match]
    package var action: Action

    package init(
        parent: TrafficHandle, priority: UInt16, _ networkProtocol: NetworkProtocol, matches: [Match], _ action: Action
    ) {
        precondition((1...128).contains(matches.count), "u32 takes 1 to 128 matches")
        (self.parent, self.priority, self.networkProtocol) = (parent, priority, networkProtocol)
        (self.matches, self.action) = (matches, action)
    }

    /// The request to add it, or to remove all of its priority and protocol.
    package func message(_ action: TrafficAction, on interface: NetworkInterface) -> RouteMessage {
        let type = action == .delete ? RTM_DELTFILTER : RTM_NEWTFILTER
        let purpose = RequestPurpose(
            "\(action.verb) the u32 filter \(priority) at \(parent) of interface \(interface)", part: part)
        let info = UInt32(priority) << 16 | UInt32(networkProtocol.rawValue.bigEndian)
        let header = trafficHeader(interface, handle: .unspecified, parent: parent, info: info)
        return RouteMessage(Int(type), flags: action.flags, header: header, for: purpose) { attributes in
            attributes.add(Int(TCA_KIND), Self.kind)
            guard action != .delete else { return }
            attributes.nest(Int(TCA_OPTIONS)) { addOptions(to: &$0) }
        }
    }

    private func addOptions(to attributes: inout NetlinkAttributes) {
        if case .classify(let target) = action { attributes.add(Int(TCA_U32_CLASSID), target.number) }
        attributes.add(Int(TCA_U32_SEL), selector)
        guard case .redirect(let index) = action else { return }
        attributes.nest(Int(TCA_U32_ACT)) { actions in
            // The first and only one of the list.
            actions.nest(1) { first in
                first.add(Int(TCA_ACT_KIND), "mirred")
                first.nest(Int(TCA_ACT_OPTIONS)) { $0.add(Int(TCA_MIRRED_PARMS), Self.redirection(to: index)) }
            }
        }
    }

    /// `struct tc_u32_sel` and its keys.
    var selector: [UInt8] {
        var bytes: [UInt8] = [UInt8(TC_U32_TERMINAL), 0, UInt8(matches.count)]
        bytes += [UInt8](repeating: 0, count: 13)
        for match in matches {
            bytes += [UInt8](
                native: [match.mask.bigEndian, match.value.bigEndian, UInt32(bitPattern: match.offset), 0])
        }
        return bytes
    }

    /// `struct tc_mirred`.
    static func redirection(to index: UInt32) -> [UInt8] {
        [UInt8](native: [0, 0, UInt32(TC_ACT_STOLEN), 0, 0, UInt32(TCA_EGRESS_REDIR), index])
    }

    private var part: RequestPurpose.Part {
        guard case .redirect = action else {
            return .init(lack: "no u32 filter", module: "cls_u32", option: "CONFIG_NET_CLS_U32")
        }
        return .init(
            lack: "no u32 filter, or no mirred action", module: "-a cls_u32 act_mirred",
            option: "CONFIG_NET_CLS_U32 and CONFIG_NET_ACT_MIRRED")
    }
}

extension TrafficFilter: CustomStringConvertible {
    package var description: String {
        let matches = matches.map { match in
            " match u32 0x\(String(match.value, radix: 16)) 0x\(String(match.mask, radix: 16)) at \(match.offset)"
        }
        let action =
            switch action {
            case .classify(let target): "flowid \(target)"
            case .redirect(let index): "action mirred egress redirect index \(index)"
            }
        return "filter parent \(parent) prio \(priority) protocol \(networkProtocol) u32\(matches.joined()) \(action)"
    }
}
