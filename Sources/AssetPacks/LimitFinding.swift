/// Something that a store or a system refuses, or that is not recommended.
package struct LimitFinding: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Whether a store refuses it.
    package enum Severity: String, Sendable, Codable {
        /// Allowed, but not recommended.
        case warning
        /// Not allowed.
        case error
    }

    /// The unit of a number.
    package enum Unit: String, Sendable, Codable {
        case bytes
        case packs
    }

    /// Whether a store refuses it.
    package var severity: Severity
    /// What was measured, such as `the pack of level-1`.
    package var subject: String
    /// The measured value, in ``unit``.
    package var value: Int64
    /// The limit, in ``unit``.
    package var limit: Int64
    /// The unit of both numbers.
    package var unit: Unit
    /// The name of the limits.
    package var limits: String
    /// The source of the limit.
    package var source: String

    package var description: String {
        let verb = severity == .error ? "the limit is" : "the advised limit is"
        return "\(subject) has \(value) \(unit.rawValue); \(verb) \(limit) (\(limits): \(source))"
    }
}
