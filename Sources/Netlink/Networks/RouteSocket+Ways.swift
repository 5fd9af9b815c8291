import CNetlink
import Glibc
import SystemPackage

extension RouteSocket {
    /// The index of the interface through which packets to an address leave; nil if there is no route to it.
    package func interface(towards address: [UInt8], _ family: InternetFamily) throws(NetlinkError) -> UInt32? {
        precondition(address.count == family.addressSize, "an address has 4 or 16 bytes")
        let header: [UInt8] = [family.number, UInt8(address.count * 8), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let purpose = RequestPurpose("find the route to an address")
        let message = RouteMessage(Int(RTM_GETROUTE), header: header, for: purpose) {
            $0.add(Int(RTA_DST.rawValue), address)
        }
        do {
            return try get(message).attributes(after: header.count)[Int(RTA_OIF.rawValue)]?.integer()
        } catch {
            let none: [Errno] = [.networkUnreachable, .noRouteToHost, .permissionDenied, .invalidArgument]
            if none.contains(error.code) { return nil }
            throw error
        }
    }

    /// The index of the interface that has one of this machine's addresses; nil if none has it.
    package func interface(having address: [UInt8], _ family: InternetFamily) throws(NetlinkError) -> UInt32? {
        let header: [UInt8] = [family.number, 0, 0, 0, 0, 0, 0, 0]
        let message = RouteMessage(Int(RTM_GETADDR), header: header, for: RequestPurpose("list the addresses"))
        for reply in try list(message) {
            let attributes = reply.attributes(after: header.count)
            // For an address with a peer, the local one is a different attribute.
            let found = attributes[Int(IFA_LOCAL)] ?? attributes[Int(IFA_ADDRESS)]
            if found?.array == address { return reply.body.integer(at: 4) }
        }
        return nil
    }
}

/// The hardware address of a neighbour, so that the kernel need not ask for it; see ip-neighbour(8).
package struct Neighbour: Hashable, Sendable {
    package var family: InternetFamily
    package var address: [UInt8]
    package var hardware: [UInt8]

    package init(_ family: InternetFamily, _ address: [UInt8], hardware: [UInt8]) {
        (self.family, self.address, self.hardware) = (family, address, hardware)
    }

    /// The request to set it permanently on the interface `index`.
    package func replacement(on index: UInt32) -> RouteMessage {
        let header = [family.number, 0, 0, 0] + [UInt8](native: [index]) + [UInt8](native: [UInt16(NUD_PERMANENT), 0])
        let purpose = RequestPurpose("name a neighbour on interface \(index)")
        return RouteMessage(Int(RTM_NEWNEIGH), flags: NLM_F_CREATE | NLM_F_REPLACE, header: header, for: purpose) {
            $0.add(Int(NDA_DST), address)
            $0.add(Int(NDA_LLADDR), hardware)
        }
    }
}
