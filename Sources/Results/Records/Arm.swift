/// Whose attempt one is, where two clients, or two hosts, are compared.
package enum Arm: String, CaseIterable, Hashable, Sendable, Codable {
    /// That of what the tested one is compared with.
    case baseline
}
