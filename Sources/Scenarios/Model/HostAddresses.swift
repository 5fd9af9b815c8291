package import Results

/// The addresses of the host's names, and what happens to connections to them.
package struct HostAddresses: Hashable, Sendable {
    package typealias State = ConductRecord.Address.State

    /// nil: the names have no such address.
    package var ipv4: State?
    package var ipv6: State?

    package init(ipv4: State?, ipv6: State?) { (self.ipv4, self.ipv6) = (ipv4, ipv6) }

    /// The addresses if a scenario does not set them: IPv4 reachable, no IPv6.
    package static let usual = HostAddresses(ipv4: .reachable, ipv6: nil)

    package subscript(family: ConductRecord.Address.Family) -> State? { family == .ipv4 ? ipv4 : ipv6 }
}
