import CNetlink

/// A rule that says in which table a packet's route is looked up, or that it has none; see ip-rule(8).
package struct RoutingRule: Hashable, Sendable {
    /// What happens to packets that match the rule.
    package enum Action: Hashable, Sendable {
        /// Their route is looked up in this table.
        case lookUp(table: UInt8)
        /// They have no route: ENETUNREACH.
        case unreachable
    }

    package var family: InternetFamily
    package var action: Action
    /// Rules with a lower number come first.
    package var priority: UInt32
    /// The number of the transport protocol; nil (the default) is any.
    package var transport: UInt8?
    /// The name of the interface that packets come in by; nil (the default) is any.
    package var incomingInterface: String?
    /// The one address that packets go to; nil (the default) is any.
    package var destination: [UInt8]?
    package var destinationPort: UInt16?

    package init(_ family: InternetFamily, table: UInt8, priority: UInt32) {
        self.init(family, .lookUp(table: table), priority: priority)
    }

    package init(_ family: InternetFamily, _ action: Action, priority: UInt32) {
        (self.family, self.action, self.priority) = (family, action, priority)
    }

    /// The request to add it if there is none like it.
    package var addition: RouteMessage {
        message(Int(RTM_NEWRULE), flags: NLM_F_CREATE | NLM_F_EXCL, for: RequestPurpose("add a rule for routes"))
    }

    /// The request to remove one like it.
    package var removal: RouteMessage {
        message(Int(RTM_DELRULE), flags: 0, for: RequestPurpose("remove a rule for routes"))
    }

    private func message(_ type: Int, flags: Int32, for purpose: RequestPurpose) -> RouteMessage {
        let prefix = UInt8((destination?.count ?? 0) * 8)
        let (table, number): (UInt8, Int) =
            switch action {
            case .lookUp(let table): (table, FR_ACT_TO_TBL)
            case .unreachable: (0, FR_ACT_UNREACHABLE)
            }
        let header = [family.number, prefix, 0, 0, table, 0, 0, UInt8(number), 0, 0, 0, 0]
        return RouteMessage(type, flags: flags, header: header, for: purpose) {
            $0.add(Int(FRA_PRIORITY), priority)
            if let transport { $0.add(Int(FRA_IP_PROTO), transport) }
            if let incomingInterface { $0.add(Int(FRA_IIFNAME), incomingInterface) }
            if let destination { $0.add(Int(FRA_DST), destination) }
            if let destinationPort {
                $0.add(Int(FRA_DPORT_RANGE), [UInt8](native: [destinationPort, destinationPort]))
            }
        }
    }
}
