import SandboxMessages

/// The IPv6 addresses of a sandbox, whose networks have numbers: 0 is the client's, 1 the host's.
struct IPv6Addresses {
    private let prefix: [UInt8]

    init(_ configuration: SandboxRequest.Configure) {
        // Clients take addresses of the Internet before those of IPv4, and local ones not all of them do (RFC 6724 section
        // 10.6): these are for documentation (RFC 3849). Where there is a way outside they are local (RFC 4193), so that clients
        // take IPv4 to what is there, which every machine has.
        prefix = configuration.outside == nil ? [0x20, 0x01, 0x0d, 0xb8, 0, 0x77, 0] : [0xfd, 0x77, 0]
    }

    var client: [UInt8] { self[0, 2] }
    var host: [UInt8] { self[1, 2] }
    /// An address that no machine has, in the host's network.
    var silent: [UInt8] { self[1, 6] }

    /// A number in a network.
    subscript(network: UInt8, number: UInt8) -> [UInt8] {
        prefix + [network] + [UInt8](repeating: 0, count: 14 - prefix.count) + [number]
    }
}
