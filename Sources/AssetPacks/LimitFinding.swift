/// Something that a store or a system would not take, or that is advised against.
package struct LimitFinding: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Whether a store refuses it.
    package enum Severity: String, Sendable, Codable {
        /// Allowed, and advised against.
        case warning
        /// Not allowed.
        case error
    }

    /// What a number counts.
    package enum Unit: String, Sendable, Codable {
        case bytes
        case packs
    }

    /// Whether a store refuses it.
    package var severity: Severity
    /// What was measured, such as `the pack of level-1`.
    package var subject: String
    /// What it has.
    package var value: Int64
    /// What it may have.
    package var limit: Int64
    /// What both numbers count.
    package var unit: Unit
    /// The name of the limits.
    package var limits: String
    /// Where the limit is from.
    package var source: String

    package var description: String {
        let verb = severity == .error ? "the limit is" : "the advised limit is"
        return "\(subject) has \(value) \(unit.rawValue); \(verb) \(limit) (\(limits): \(source))"
    }
}
