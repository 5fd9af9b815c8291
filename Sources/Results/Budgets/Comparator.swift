/// How a measured number is compared with its limit.
package enum Comparator: String, CaseIterable, Codable, Sendable {
    case atMost = "<="
    case below = "<"
    case atLeast = ">="
    case above = ">"
    case equal = "=="

    /// Whether the comparison limits from above, as times and bytes are limited.
    package var isUpperLimit: Bool { self == .atMost || self == .below }

    /// Whether the comparison limits from below, as throughput is limited.
    package var isLowerLimit: Bool { self == .atLeast || self == .above }

    /// Whether a number keeps the limit.
    package func holds(_ number: Double, _ limit: Double) -> Bool {
        switch self {
        case .atMost: number <= limit
        case .below: number < limit
        case .atLeast: number >= limit
        case .above: number > limit
        case .equal: number == limit
        }
    }

    /// The symbol of the opposite, for a sentence about a broken limit: `16.2 s > 13 s`.
    package var broken: String {
        switch self {
        case .atMost: ">"
        case .below: ">="
        case .atLeast: "<"
        case .above: "<="
        case .equal: "!="
        }
    }

    /// The comparator that was probably meant by another run of symbols.
    static func meant(by symbols: String) -> Comparator? {
        switch symbols {
        case "=<", "≤", "<==": .atMost
        case "=>", "≥", ">==": .atLeast
        case "=", "===": .equal
        default: nil
        }
    }
}
