import CNetlink
import Glibc

/// An address of an interface.
package struct InterfaceAddress: Hashable, Sendable {
    package var family: InternetFamily
    /// In network byte order.
    package var bytes: [UInt8]
    package var prefixLength: UInt8
    /// Whether the kernel looks for a duplicate, which makes it tentative for a second (IPv6 only); true by default.
    package var looksForDoubles = true
    /// Whether the kernel makes the route to its neighbours; true by default.
    package var hasPrefixRoute = true

    package init(_ family: InternetFamily, _ bytes: [UInt8], prefixLength: UInt8) {
        precondition(bytes.count == family.addressSize, "an address has 4 or 16 bytes")
        (self.family, self.bytes, self.prefixLength) = (family, bytes, prefixLength)
    }

    /// The request to remove it from the interface `index`.
    package func removal(from index: UInt32) -> RouteMessage {
        let header = [family.number, prefixLength, 0, UInt8(RT_SCOPE_UNIVERSE.rawValue)] + [UInt8](native: [index])
        let purpose = RequestPurpose("remove an IPv\(family == .v4 ? 4 : 6) address from interface \(index)")
        return RouteMessage(Int(RTM_DELADDR), header: header, for: purpose) { $0.add(Int(IFA_LOCAL), bytes) }
    }

    /// The request to add it to the interface `index`.
    package func addition(to index: UInt32) -> RouteMessage {
        let header = [family.number, prefixLength, 0, UInt8(RT_SCOPE_UNIVERSE.rawValue)] + [UInt8](native: [index])
        var flags: UInt32 = 0
        if !looksForDoubles { flags |= UInt32(IFA_F_NODAD) }
        if !hasPrefixRoute { flags |= UInt32(IFA_F_NOPREFIXROUTE) }
        let purpose = RequestPurpose("add an IPv\(family == .v4 ? 4 : 6) address to interface \(index)")
        return RouteMessage(Int(RTM_NEWADDR), flags: NLM_F_CREATE | NLM_F_EXCL, header: header, for: purpose) {
            $0.add(Int(IFA_LOCAL), bytes)
            $0.add(Int(IFA_ADDRESS), bytes)
            $0.add(Int(IFA_FLAGS), flags)
        }
    }
}

/// IPv4 or IPv6, as netlink calls them.
package enum InternetFamily: Hashable, Sendable, CaseIterable {
    case v4, v6

    /// `AF_INET` or `AF_INET6`.
    var number: UInt8 { UInt8(self == .v4 ? AF_INET : AF_INET6) }

    /// Bytes of an address.
    package var addressSize: Int { self == .v4 ? 4 : 16 }
}
