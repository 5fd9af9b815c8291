internal import LinkModel
internal import LinuxSupport

/// The key of the flow that a packet belongs to, the same in both directions.
package struct FlowKey: Hashable, Sendable, CustomStringConvertible {
    /// The protocol number of IANA: 6 is TCP, 17 is UDP.
    package let transport: UInt8
    package let client: PacketEndpoint
    package let host: PacketEndpoint

    init(_ header: PacketHeader, _ direction: Direction) {
        transport = header.transport
        (client, host) =
            direction == .uplink ? (header.sender, header.receiver) : (header.receiver, header.sender)
    }

    /// The family of its protocol; flows are numbered in each family.
    var family: Family {
        switch transport {
        case IPProtocol.tcp: .tcp
        case IPProtocol.udp: .udp
        case IPProtocol.icmp, IPProtocol.icmp6: .icmp
        default: .other
        }
    }

    /// Whether it looks up names (port 53); such payload does not count as a program's.
    var isNameLookup: Bool { host.port == 53 && (family == .udp || family == .tcp) }

    enum Family: String, CaseIterable {
        case tcp
        case udp
        case icmp
        case other
    }

    package var description: String { "\(family.rawValue) \(client) \(host)" }
}
