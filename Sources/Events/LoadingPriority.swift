/// How soon a request's packs are loaded, relative to other requests.
package enum LoadingPriority: Hashable, Sendable, Comparable {
    /// 0 to 1, higher first (default: 0.5); other values are limited to that range.
    case normal(Double)
    /// A person is waiting: loaded at once, before everything else.
    case urgent

    /// The value within its limits.
    package var limited: LoadingPriority {
        switch self {
        case .normal(let value): .normal(min(1, max(0, value.isNaN ? 0.5 : value)))
        case .urgent: .urgent
        }
    }
}

/// In events, a number or `urgent`.
extension LoadingPriority: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Double.self) {
            self = .normal(value)
        } else if try container.decode(String.self) == "urgent" {
            self = .urgent
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither a number nor 'urgent'")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .normal(let value): try value.encode(to: encoder)
        case .urgent: try "urgent".encode(to: encoder)
        }
    }
}
