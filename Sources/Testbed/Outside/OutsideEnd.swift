import LinuxSupport

/// An address and port that a client in a sandbox connects to.
typealias OutsideEnd = SocketName

extension OutsideEnd {
    var family: SandboxFamily { address.count == 4 ? .ipv4 : .ipv6 }

    /// The same end as this machine reaches it, in the order to try.
    ///
    /// This machine's address in the sandbox, and 127.0.0.1 if it leads here, become the loopback of both families. The
    /// resolver's address becomes the machine's first name server.
    var here: [OutsideEnd] {
        let outside = SandboxAddresses.outside
        if self == OutsideEnd(outside.address, port: port) || address == Self.loopbackIPv4 {
            return [Self.loopbackIPv4, Self.loopbackIPv6].map { OutsideEnd(address: $0, port: port) }
        }
        guard self == OutsideEnd(outside.nameServer, port: port) else { return [self] }
        return [OutsideEnd(address: Self.nameServer(in: BoundedFile.text("/etc/resolv.conf") ?? ""), port: port)]
    }

    private static let loopbackIPv4: [UInt8] = [127, 0, 0, 1]
    private static let loopbackIPv6 = [UInt8](repeating: 0, count: 15) + [1]

    /// The first name server in a text of resolv.conf(5); 127.0.0.1 if it names none.
    static func nameServer(in text: String) -> [UInt8] {
        let servers = text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
            .filter { $0.count > 1 && $0[0] == "nameserver" }
        return servers.lazy.compactMap { OutsideEnd(String($0[1]), port: 0)?.address }.first ?? [127, 0, 0, 1]
    }
}
