/// How a measured number is compared with its limit.
package enum Comparator: String, CaseIterable, Codable, Sendable {
    case atMost = "<="
    case below = "<"
    case atLeast = ">="
    case above = ">"
    case equal = "=="

    /// Whether it is an upper limit, as for times and bytes.
    package var isUpperLimit: Bool { self == .atMost || self == .below }

    /// Whether it is a lower limit, as for throughput.
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

    /// The symbol of the opposite comparison, for a sentence about a broken limit: `16.2 s > 13 s`.
    package var broken: String {
        switch self {
        case .atMost: ">"
        case .below: ">="
        case .atLeast: "<"
        case .above: "<="
        case .equal: "!="
        }
    }

    /// The comparator that was probably meant by these symbols; nil if none is likely.
    static func meant(by symbols: String) -> Comparator? {
        switch symbols {
        case "=<", "≤", "<==": .atMost
        case "=>", "≥", ">==": .atLeast
        case "=", "===": .equal
        default: nil
        }
    }
}
