package import Results

/// The addresses of the host's names, and what becomes of who goes there.
package struct HostAddresses: Hashable, Sendable {
    package typealias State = ConductRecord.Address.State

    /// nil where the names have none.
    package var ipv4: State?
    package var ipv6: State?

    package init(ipv4: State?, ipv6: State?) { (self.ipv4, self.ipv6) = (ipv4, ipv6) }

    /// What they have where a scenario says nothing.
    package static let usual = HostAddresses(ipv4: .reachable, ipv6: nil)

    package subscript(family: ConductRecord.Address.Family) -> State? { family == .ipv4 ? ipv4 : ipv6 }
}
