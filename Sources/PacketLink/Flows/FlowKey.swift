internal import LinkModel

/// Which conversation a packet belongs to, whichever way it goes.
package struct FlowKey: Hashable, Sendable, CustomStringConvertible {
    /// The protocol number of IANA: 6 is TCP, 17 UDP.
    package let transport: UInt8
    package let client: PacketEndpoint
    package let host: PacketEndpoint

    init(_ header: PacketHeader, _ direction: Direction) {
        transport = header.transport
        let source = PacketEndpoint(address: header.source, port: header.sourcePort)
        let destination = PacketEndpoint(address: header.destination, port: header.destinationPort)
        client = direction == .uplink ? source : destination
        host = direction == .uplink ? destination : source
    }

    /// The word by which flows of the protocol are counted.
    var family: Family {
        switch transport {
        case PacketHeader.Transport.tcp: .tcp
        case PacketHeader.Transport.udp: .udp
        case PacketHeader.Transport.icmp, PacketHeader.Transport.icmp6: .icmp
        default: .other
        }
    }

    /// Whether names are looked up by it: it carries nothing that a program asked the host for.
    var isNameLookup: Bool { host.port == 53 && (family == .udp || family == .tcp) }

    enum Family: String, CaseIterable {
        case tcp
        case udp
        case icmp
        case other
    }

    package var description: String { "\(family.rawValue) \(client) \(host)" }
}
