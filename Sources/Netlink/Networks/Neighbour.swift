import CNetlink

/// What a neighbour's hardware is called, so that nobody must ask for it; see ip-neighbour(8).
package struct Neighbour: Hashable, Sendable {
    package var family: InternetFamily
    package var address: [UInt8]
    package var hardware: [UInt8]

    package init(_ family: InternetFamily, _ address: [UInt8], hardware: [UInt8]) {
        (self.family, self.address, self.hardware) = (family, address, hardware)
    }

    /// The request to say so, for good, of the interface `index`.
    package func replacement(on index: UInt32) -> RouteMessage {
        var header: [UInt8] = [family.number, 0, 0, 0]
        header.append(native: index)
        header.append(native: UInt16(NUD_PERMANENT))
        header += [0, 0]
        let purpose = RequestPurpose("name a neighbour on interface \(index)")
        return RouteMessage(Int(RTM_NEWNEIGH), flags: NLM_F_CREATE | NLM_F_REPLACE, header: header, for: purpose) {
            $0.add(Int(NDA_DST), address)
            $0.add(Int(NDA_LLADDR), hardware)
        }
    }
}
