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

    /// A number; nil is unknown.
    init(_ value: Double?) { self = value.map(Sample.value) ?? .unknown }

    /// A count; nil is unknown.
    init(count: Int64?) { self.init(count.map { Double($0) }) }

    /// Yes or no; nil is unknown.
    init(truth: Bool?) { self.init(truth.map { $0 ? 1 : 0 }) }

    /// The number, where there is one.
    package var value: Double? {
        if case .value(let value) = self { value } else { nil }
    }
}
