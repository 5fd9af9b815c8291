/// One metric of one attempt.
package enum Sample: Hashable, Sendable {
    /// The number, in the metric's base unit; finite.
    case value(Double)
    /// The moment that is timed never came, and that is known: the client gave up or was never called back.
    ///
    /// It is beyond every limit.
    case neverCame
    /// Nobody knows. A budget on it does not pass.
    case unknown

    /// The number, where there is one.
    package var value: Double? {
        if case .value(let value) = self { value } else { nil }
    }
}
