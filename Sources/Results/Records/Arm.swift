/// The side that made an attempt, if two clients or two hosts are compared; nil is the tested side.
package enum Arm: String, CaseIterable, Hashable, Sendable, Codable {
    /// The side that the tested one is compared with.
    case baseline
}
