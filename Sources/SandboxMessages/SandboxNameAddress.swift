/// The address that the names of a sandbox have, for IPv4 or for IPv6.
package enum SandboxNameAddress: String, Codable, Sendable {
    /// No address.
    case none
    /// The host's address.
    case host
    /// An address that no machine has: packets to it get no answer.
    case silent
}
