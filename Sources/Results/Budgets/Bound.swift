/// The right-hand side of a budget: a fixed number, or a multiple of a basis and perhaps a number on top.
package enum Bound: Hashable, Sendable {
    case fixed(Double)
    case multiple(factor: Double, of: Basis, plus: Double = 0)

    /// The basis that the limit needs; nil for a fixed one.
    package var basis: Basis? {
        if case .multiple(_, let basis, _) = self { basis } else { nil }
    }

    /// The limit in base units; nil where it needs a basis whose number is unknown.
    package func limit(basis number: Double?) -> Double? {
        switch self {
        case .fixed(let value): value
        case .multiple(let factor, _, let plus): number.map { factor * $0 + plus }
        }
    }

    /// The bound as it is written in a budget on a metric of that unit: `1 s`, `1.2 x ideal + 12 s`.
    package func text(_ unit: MetricUnit) -> String {
        switch self {
        case .fixed(let value):
            return Quantity(value, unit).description
        case .multiple(let factor, let basis, let plus):
            let product = "\(factor.plainDecimal) x \(basis.rawValue)"
            return plus == 0 ? product : "\(product) + \(Quantity(plus, unit))"
        }
    }
}
