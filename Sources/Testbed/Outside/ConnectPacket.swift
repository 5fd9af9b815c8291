import LinuxSupport

/// The first packet of a TCP connection (RFC 9293), as a client has sent it.
struct ConnectPacket: Sendable {
    let bytes: [UInt8]
    let end: OutsideEnd
    /// The address and port that the connection comes from.
    let origin: OutsideEnd
    private let transport: Int

    /// `nil` for all other packets, and for fragments.
    init?(_ bytes: [UInt8]) {
        let addressBytes: Int
        let addresses: Int
        switch bytes.first.map({ $0 >> 4 }) {
        case 4?:
            transport = Int(bytes[0] & 15) * 4
            guard bytes.count >= 20, transport >= 20, bytes[9] == 6, bytes[6] & 0x3f == 0, bytes[7] == 0 else {
                return nil
            }
            (addresses, addressBytes) = (12, 4)
        case 6?:
            transport = 40
            guard bytes.count >= 40, bytes[6] == 6 else { return nil }
            (addresses, addressBytes) = (8, 16)
        default: return nil
        }
        guard bytes.count >= transport + 20, bytes[transport + 13] & 0x17 == 0x02 else { return nil }
        self.bytes = bytes
        let ports = bytes[transport..<transport + 4].map(UInt16.init)
        origin = OutsideEnd(
            address: Array(bytes[addresses..<addresses + addressBytes]), port: ports[0] << 8 | ports[1])
        end = OutsideEnd(
            address: Array(bytes[addresses + addressBytes..<addresses + 2 * addressBytes]),
            port: ports[2] << 8 | ports[3])
    }

    /// The answer that no program listens there: a packet with RST and ACK.
    var refusal: [UInt8] {
        let sequence = bytes[transport + 4..<transport + 8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } &+ 1
        return InternetPacket.reset(
            from: SocketName(address: end.address, port: end.port),
            to: SocketName(address: origin.address, port: origin.port), acknowledging: sequence)
    }
}
