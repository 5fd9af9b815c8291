import LinkModel
import Results
import Scenarios

extension Conduct {
    /// How the client used the host's IPv4 and IPv6 addresses.
    ///
    /// Nil if the scenario does not change them, or if the link did not report the targets of connections.
    var addresses: [ConductRecord.Address]? {
        guard setup.cell.addresses != .usual, trace.link.events.contains(where: \.isFlow) else { return nil }
        return ConductRecord.Address.Family.allCases.map { family in
            ConductRecord.Address(
                family, setup.cell.addresses[family], lookups: lookups(of: family), connectedAt: connections(by: family)
            )
        }
    }

    /// When connections of a family began, in seconds since the client's start, without those to the resolver.
    private func connections(by family: ConductRecord.Address.Family) -> [Double] {
        trace.link.events.compactMap { event in
            guard case .flow(Self.tcp, let target, _, _) = event.kind, !target.hasSuffix(Self.resolver),
                target.hasPrefix("[") == (family == .ipv6), event.at.nanoseconds >= trace.clientStart
            else { return nil }
            return trace.seconds(event.at.nanoseconds)
        }
    }

    /// How often an address of a family was looked up; nil if a lookup used TCP, whose questions are not read.
    private func lookups(of family: ConductRecord.Address.Family) -> Int? {
        var count = 0
        for event in trace.link.events {
            switch event.kind {
            case .flow(Self.tcp, let target, _, _) where target.hasSuffix(Self.resolver): return nil
            case .lookup(let type) where type == (family == .ipv4 ? 1 : 28): count += 1
            default: break
            }
        }
        return count
    }

    /// The IP protocol number of TCP (RFC 9293).
    private static let tcp: UInt8 = 6
    /// The port of the resolver.
    private static let resolver = ":53"
}
