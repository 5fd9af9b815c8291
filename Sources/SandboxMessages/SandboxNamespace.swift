/// One of the three networks of a sandbox: client – router – host.
package enum SandboxNamespace: String, Codable, Sendable, CaseIterable {
    /// Where clients run; its default route is the link.
    case client
    /// Between the two; where the sandbox's own programs are.
    case router
    /// Where the host listens, and the resolver.
    case host
}
