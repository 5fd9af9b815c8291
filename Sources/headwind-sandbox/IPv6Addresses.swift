import SandboxMessages

/// The IPv6 addresses of a sandbox; network 0 is the client's, network 1 the host's.
struct IPv6Addresses {
    private let prefix: [UInt8]

    init(_ configuration: SandboxRequest.Configure) {
        // Clients prefer global IPv6 addresses to IPv4, but not all prefer local ones (RFC 6724 section 10.6). So these
        // are addresses for documentation (RFC 3849). With a route outside they are local (RFC 4193): clients then
        // reach the outside by IPv4, which every machine has.
        prefix = configuration.outside == nil ? [0x20, 0x01, 0x0d, 0xb8, 0, 0x77, 0] : [0xfd, 0x77, 0]
    }

    var client: [UInt8] { self[0, 2] }
    var host: [UInt8] { self[1, 2] }
    /// An unused address in the host's network.
    var silent: [UInt8] { self[1, 6] }

    /// The address with a number in a network.
    subscript(network: UInt8, number: UInt8) -> [UInt8] {
        prefix + [network] + [UInt8](repeating: 0, count: 14 - prefix.count) + [number]
    }
}
