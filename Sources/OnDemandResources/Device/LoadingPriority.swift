/// How soon a request's packs are loaded, relative to other requests.
package enum LoadingPriority: Hashable, Sendable, Comparable {
    /// 0 to 1, higher first; 0.5 unless set. Values beyond are limited.
    case normal(Double)
    /// Somebody is waiting: before everything else, and at once.
    case urgent

    /// The value within its limits.
    var limited: LoadingPriority {
        switch self {
        case .normal(let value): .normal(min(1, max(0, value.isNaN ? 0.5 : value)))
        case .urgent: .urgent
        }
    }
}
