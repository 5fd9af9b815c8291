package import Results

/// The addresses of the host's names, and what happens to connections to them.
package struct HostAddresses: Hashable, Sendable {
    package typealias State = ConductRecord.Address.State

    /// nil: the names have no such address.
    package var ipv4: State?
    package var ipv6: State?

    /// The addresses if a scenario does not set them: IPv4 reachable, no IPv6.
    package static let usual = HostAddresses(ipv4: .reachable, ipv6: nil)

    package subscript(family: ConductRecord.Address.Family) -> State? { family == .ipv4 ? ipv4 : ipv6 }
}

/// Reads `addresses`: whether the host's names have an IPv4 and an IPv6 address, and the state of each.
enum AddressesDecoder {
    /// The minimum MTU of a link with IPv6, in bytes (RFC 8200).
    private static let leastMTU = 1280

    static func read(_ fields: Fields, _ content: Content?, _ link: Link?) -> HostAddresses {
        guard let addresses = fields.value("addresses", decoder) else { return .usual }
        if content?.isOurs == false {
            fields.refuse("addresses", "'addresses' are only for the built-in host", hint: "leave them out")
        }
        if addresses.ipv6 != nil, let mtu = link?.profile.conditions.mtu, mtu < leastMTU {
            fields.refuse(
                "addresses", "the link has an MTU of \(mtu), and IPv6 needs \(leastMTU)", hint: "leave 'ipv6' out")
        }
        return addresses
    }

    private static var decoder: FieldDecoder<HostAddresses> {
        .mapping("addresses, such as {ipv4: reachable, ipv6: silent}") { fields in
            let state = FieldDecoder<HostAddresses.State>.choice("an address state")
            let addresses = HostAddresses(ipv4: fields.value("ipv4", state), ipv6: fields.value("ipv6", state))
            guard fields.keys.isEmpty else { return addresses }
            fields.problems.add("a host's name needs an address", at: fields.mark, hint: "write ipv4, ipv6 or both")
            return nil
        }
    }
}
