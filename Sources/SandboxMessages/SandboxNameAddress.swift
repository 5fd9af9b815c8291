/// What the names of a sandbox have of IPv4 or of IPv6.
package enum SandboxNameAddress: String, Codable, Sendable {
    /// No address.
    case none
    /// The host's.
    case host
    /// One that no machine has: what goes there vanishes.
    case silent
}
