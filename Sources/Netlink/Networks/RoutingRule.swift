import CNetlink

/// Which table of routes a packet's way is looked for in; see ip-rule(8).
package struct RoutingRule: Hashable, Sendable {
    package var family: InternetFamily
    package var table: UInt8
    /// Rules with a lower number come first.
    package var priority: UInt32
    /// The number of the transport protocol; nil (the default) is any.
    package var transport: UInt8?
    /// The name of the interface that packets come in by.
    package var incomingInterface: String?
    /// One address that packets go to.
    package var destination: [UInt8]?
    package var destinationPort: UInt16?

    package init(_ family: InternetFamily, table: UInt8, priority: UInt32) {
        (self.family, self.table, self.priority) = (family, table, priority)
    }

    /// The request to add it where there is none like it.
    package var addition: RouteMessage {
        let prefix = UInt8((destination?.count ?? 0) * 8)
        let header = [family.number, prefix, 0, 0, table, 0, 0, UInt8(FR_ACT_TO_TBL), 0, 0, 0, 0]
        let purpose = RequestPurpose("add a rule for routes")
        return RouteMessage(Int(RTM_NEWRULE), flags: NLM_F_CREATE | NLM_F_EXCL, header: header, for: purpose) {
            $0.add(Int(FRA_PRIORITY), priority)
            if let transport { $0.add(Int(FRA_IP_PROTO), transport) }
            if let incomingInterface { $0.add(Int(FRA_IIFNAME), incomingInterface) }
            if let destination { $0.add(Int(FRA_DST), destination) }
            if let destinationPort {
                var range: [UInt8] = []
                range.append(native: destinationPort)
                range.append(native: destinationPort)
                $0.add(Int(FRA_DPORT_RANGE), range)
            }
        }
    }
}
