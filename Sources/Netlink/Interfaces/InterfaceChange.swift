import CNetlink
import Glibc

/// A change of an interface; absent values stay as they are.
package struct InterfaceChange: Hashable, Sendable {
    /// True to bring it up, false to take it down.
    package var isUp: Bool?
    /// Largest packet in bytes.
    package var mtu: UInt32?
    /// The most packets that its driver may keep.
    package var queueLength: UInt32?
    /// The most segments that the kernel may join into one packet; 1 for packets as they are on the wire.
    package var mostSegments: UInt32?
    /// False to have the kernel make no IPv6 address for it, so that it sends no packets; fails without IPv6.
    ///
    /// One request with `isUp` is too late: the kernel brings it up first.
    package var makesAddresses: Bool?
    /// False to ask for no neighbours: its packets then go to its own hardware address, which both ends of a cable must
    /// have.
    package var asksForNeighbours: Bool?
    /// False to have the kernel join no multicast group of routers there.
    package var hasMulticast: Bool?
    /// Its hardware address, of six bytes.
    package var hardware: [UInt8]?
    /// Up to 255 bytes that the kernel keeps without using them; `ip link` shows them.
    package var alias: String?

    package init(
        isUp: Bool? = nil, mtu: UInt32? = nil, queueLength: UInt32? = nil, mostSegments: UInt32? = nil,
        makesAddresses: Bool? = nil, asksForNeighbours: Bool? = nil, hasMulticast: Bool? = nil,
        hardware: [UInt8]? = nil, alias: String? = nil
    ) {
        (self.isUp, self.mtu, self.queueLength) = (isUp, mtu, queueLength)
        (self.mostSegments, self.makesAddresses) = (mostSegments, makesAddresses)
        (self.asksForNeighbours, self.hasMulticast, self.hardware) = (asksForNeighbours, hasMulticast, hardware)
        self.alias = alias
    }

    /// The request to change the interface `index`, which errors call `name`.
    package func message(for index: UInt32, name: String? = nil) -> RouteMessage {
        let purpose = RequestPurpose("\(attempt) interface \(name ?? "\(index)")")
        let header = interfaceHeader(
            index: index,
            flags: [
                (isUp, UInt32(IFF_UP)), (asksForNeighbours.map(!), UInt32(IFF_NOARP)),
                (hasMulticast, UInt32(IFF_MULTICAST)),
            ])
        return RouteMessage(Int(RTM_NEWLINK), header: header, for: purpose) { attributes in
            if let hardware { attributes.add(Int(IFLA_ADDRESS), hardware) }
            if let mtu { attributes.add(Int(IFLA_MTU), mtu) }
            if let queueLength { attributes.add(Int(IFLA_TXQLEN), queueLength) }
            if let mostSegments { attributes.add(Int(IFLA_GSO_MAX_SEGS), mostSegments) }
            // It has no NUL at its end; the attribute has its length.
            if let alias { attributes.add(Int(IFLA_IFALIAS), Array(alias.utf8)) }
            guard let makesAddresses else { return }
            let mode = makesAddresses ? IN6_ADDR_GEN_MODE_EUI64 : IN6_ADDR_GEN_MODE_NONE
            attributes.nest(Int(IFLA_AF_SPEC)) { families in
                families.nest(Int(AF_INET6)) { $0.add(Int(IFLA_INET6_ADDR_GEN_MODE), UInt8(mode.rawValue)) }
            }
        }
    }

    private var attempt: String {
        var parts: [String] = []
        if let mtu { parts.append("an MTU of \(mtu)") }
        if let queueLength { parts.append("a queue of \(queueLength) packets") }
        if let mostSegments { parts.append("at most \(mostSegments) segments in a packet") }
        if makesAddresses == false { parts.append("no automatic address") }
        if asksForNeighbours == false { parts.append("no neighbour discovery") }
        if hasMulticast == false { parts.append("no multicast") }
        if hardware != nil { parts.append("a hardware address") }
        if alias != nil { parts.append("an alias") }
        guard parts.isEmpty else { return "set \(parts.joined(separator: ", ")) on" }
        return isUp == false ? "take down" : "bring up"
    }
}

/// The fixed part of a message about an interface, `struct ifinfomsg`.
///
/// `flags` has the flags to change, and their new values; one whose value is nil stays.
func interfaceHeader(index: UInt32, flags changes: [(isSet: Bool?, flag: UInt32)] = []) -> [UInt8] {
    var (flags, mask): (UInt32, UInt32) = (0, 0)
    for (isSet, flag) in changes {
        guard let isSet else { continue }
        mask |= flag
        if isSet { flags |= flag }
    }
    return [UInt8(AF_UNSPEC), 0, 0, 0] + [UInt8](native: [index, flags, mask])
}
