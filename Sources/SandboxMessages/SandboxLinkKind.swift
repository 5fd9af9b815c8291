/// How the networks of a sandbox are joined to the link.
package enum SandboxLinkKind: String, Codable, Sendable, CaseIterable {
    /// A TUN in the client's network and one in the host's; whoever reads and writes them is the link.
    case packets
    /// Cables from both to the router, which forwards packets; the queues of its two interfaces are the link.
    case router
}

/// The two interfaces of a sandbox's router.
package enum SandboxRouter {
    /// By which packets leave to the client.
    package static let toClient = "client0"
    /// By which packets leave to the host.
    package static let toHost = "host0"
}
